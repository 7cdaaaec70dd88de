// The time, once a second, for figures that grow while one looks.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

export const now = signal(Date.now())

let watching = 0
let timer: ReturnType<typeof setInterval> | undefined

/** Keeps `now` going while the component is there and wants it. */
export function useNow(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return
    now.value = Date.now()
    watching++
    timer ??= setInterval(() => {
      now.value = Date.now()
    }, 1000)
    return () => {
      watching--
      if (watching > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [wanted])
}
