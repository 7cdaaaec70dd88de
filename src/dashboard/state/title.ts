// The document's title: what the view is called, then the product.
import { useEffect } from 'preact/hooks'

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Jelajah' : `${title} · Jelajah`
  }, [title])
}
