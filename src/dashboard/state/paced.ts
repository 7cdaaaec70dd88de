// A value that changes often, followed now and then.
import { useEffect, useRef, useState } from 'preact/hooks'

/** The value as it was at most `everyMs` ago; the last one always comes through. */
export function usePaced<T>(value: T, everyMs: number): T {
  const [taken, setTaken] = useState(value)
  const takenAt = useRef(0)
  useEffect(() => {
    if (Object.is(value, taken)) return
    const waitMs = Math.max(0, takenAt.current + everyMs - performance.now())
    const timer = setTimeout(() => {
      takenAt.current = performance.now()
      setTaken(value)
    }, waitMs)
    return () => clearTimeout(timer)
  }, [value, taken, everyMs])
  return taken
}
