// Stays in one part of a site, and away from printer versions and share buttons.
//   jelajah crawl https://example.com/docs/ --plugin ./section.ts
import type { Plugin } from 'jelajah'

const plugin: Plugin = {
  name: 'section',
  version: '1.0.0',
  admit({ url, anchor, page }) {
    const [from, to] = [new URL(page), new URL(url)]
    if (to.searchParams.has('print')) return 'a printer version'
    if (/^(?:share|tweet|bagikan)\b/i.test(anchor)) return 'a share button'
    // Up to two steps above the page it is on.
    const above = from.pathname.split('/').slice(0, -2).join('/')
    return to.host === from.host && to.pathname.startsWith(above)
  },
}
export default plugin
