// A new place begins at its heading, for the eye and for a screen reader. The heading may come a moment
// after the place: until then the focus waits at the top of the content.
import { useEffect, useRef } from 'preact/hooks'

/** A reader who waits longer for a view has begun to do something else. */
const PATIENCE_MS = 10_000

/** Not for the first place: there the browser knows where to begin. */
export function useFocusOnChange(place: string): void {
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      return
    }
    const main = document.querySelector<HTMLElement>('#main')
    if (main === null) return
    window.scrollTo(0, 0)
    main.focus({ preventScroll: true })
    return focusWhenThere(main)
  }, [place])
}

/** Gives up when the reader goes elsewhere meanwhile. Returns how to stop waiting. */
function focusWhenThere(main: HTMLElement): () => void {
  const watch = new MutationObserver(() => look())
  const timer = setTimeout(() => stop(), PATIENCE_MS)
  const stop = (): void => {
    watch.disconnect()
    clearTimeout(timer)
  }
  const look = (): void => {
    const { activeElement } = document
    const isElsewhere = activeElement !== main && activeElement !== document.body
    const heading = isElsewhere ? null : headingIn(main)
    if (isElsewhere || heading !== null) stop()
    if (heading === null) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  watch.observe(main, { childList: true, subtree: true })
  look()
  return stop
}

/** That of the view, or else of what it is part of; null while the view is on its way. */
function headingIn(main: HTMLElement): HTMLElement | null {
  if (main.querySelector('.view-loading') !== null) return null
  for (const heading of ['[data-heading]', 'h1', 'h2']) {
    const found = main.querySelector<HTMLElement>(heading)
    if (found !== null) return found
  }
  return null
}
