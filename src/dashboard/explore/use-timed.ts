// How long the last question took to be answered.
import { useEffect, useRef, useState } from 'preact/hooks'

/** Milliseconds; 0 before the first answer. */
export function useTimed(asking: boolean): number {
  const since = useRef(0)
  const [tookMs, setTookMs] = useState(0)
  useEffect(() => {
    if (asking) since.current = performance.now()
    else if (since.current > 0) setTookMs(performance.now() - since.current)
  }, [asking])
  return tookMs
}
