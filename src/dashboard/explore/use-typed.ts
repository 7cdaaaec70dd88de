// A text that is typed into a field and takes effect when the typing pauses.
import { useEffect, useRef, useState } from 'preact/hooks'

const PAUSE_MS = 250

/** What stands in the field, and how to change it. `apply` is called once typing pauses. */
export function useTyped(
  value: string,
  apply: (value: string) => void,
): readonly [string, (value: string) => void] {
  const [typed, setTyped] = useState(value)
  // What changed elsewhere (a cleared filter, the way back) goes into the field.
  const known = useRef(value)
  useEffect(() => {
    if (known.current !== value) setTyped(value)
    known.current = value
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => apply(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, setTyped]
}
