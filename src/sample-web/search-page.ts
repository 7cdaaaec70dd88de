// A page of the sample web with a search box, as any site would have it.
import { xmlText } from '../lib/xml-text.ts'
import type { SiteHost } from './site.ts'

/** The path of the page on each host. */
export const SEARCH_PAGE = '/search-box'

type BoxOptions = {
  /** The server that search.js comes from. */
  readonly server: string
  readonly key: string
  readonly crawl: string
}

const TEXTS = {
  en: {
    title: 'A search box on this site',
    about: 'It searches what the demo has crawled. Type some words: results come as you type.',
    keys: 'Arrow keys choose a result, Enter opens it, Escape closes the list.',
    code: 'These two lines are all that this page has of it:',
  },
  id: {
    title: 'Kotak pencarian di situs ini',
    about:
      'Kotak ini mencari di hasil perayapan demo. Ketik beberapa kata: hasilnya langsung muncul.',
    keys: 'Tombol panah memilih hasil, Enter membukanya, Escape menutup daftar.',
    code: 'Halaman ini hanya memerlukan dua baris berikut:',
  },
} as const

export function searchPage({ words }: SiteHost, options: BoxOptions): string {
  const { language } = words
  const { title, about, keys, code } = TEXTS[language]
  const lines = boxLines(options)
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 2rem auto; padding: 0 1rem; min-height: 80vh }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .9rem }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${about}</p>
${lines}
<p>${keys}</p>
<p>${code}</p>
<pre><code>${xmlText(lines)}</code></pre>
</main>
</body>
</html>
`
}

/** What a site adds to its pages. */
function boxLines({ server, key, crawl }: BoxOptions): string {
  return `<script src="${xmlText(server)}/search.js" defer></script>
<jelajah-search key="${xmlText(key)}" crawl="${xmlText(crawl)}"></jelajah-search>`
}
