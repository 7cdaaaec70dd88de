// Whether a media query holds, now and whenever that changes.
import { useEffect, useState } from 'preact/hooks'

export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => window.matchMedia(query).matches)
  useEffect(() => {
    const media = window.matchMedia(query)
    const read = (): void => setHolds(media.matches)
    read()
    media.addEventListener('change', read)
    return () => media.removeEventListener('change', read)
  }, [query])
  return holds
}

export const NARROW = '(max-width: 720px)'
export const STILL = '(prefers-reduced-motion: reduce)'
