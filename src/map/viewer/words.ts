import type { MapKind, MapSubject } from '../map-format.ts'

/** What the page says, in two languages. */
export const WORDS = {
  en: {
    pages: 'pages',
    sites: 'sites',
    shownAll: '{n} {kind}, {edges} links',
    shownSome: 'the best {n} of {total} {kind}',
    search: 'Search titles and addresses',
    found: '{n} found',
    noneFound: 'Nothing matches.',
    colourBy: 'Colour by',
    host: 'host',
    relevance: 'relevance',
    otherHosts: 'other hosts',
    best: 'Best by PageRank',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fit: 'Show all',
    close: 'Back to the list',
    rank: 'PageRank',
    linksIn: 'Links in',
    linksOut: 'Links out',
    pagesHere: 'Pages',
    hot: 'Hot',
    yes: 'yes',
    linkedFrom: 'Linked from ({n} on this map)',
    linksTo: 'Links to ({n} on this map)',
    low: 'low',
    high: 'high',
    notJudged: 'not judged',
    map: 'Map of links. Arrow keys move it, plus and minus zoom, 0 shows all, Escape lets go.',
    keys: 'Drag to move, scroll or pinch to zoom. On the keyboard: arrows, + and −, 0 for all, Esc.',
    more: 'and {n} more',
    pagesTitle: 'Pages, crawl {crawl}: {name}',
    pagesOfTitle: 'Pages of {host}, crawl {crawl}: {name}',
    sitesTitle: 'Sites, crawl {crawl}: {name}',
    sitesOfTitle: 'Sites around {host}, crawl {crawl}: {name}',
  },
  id: {
    pages: 'halaman',
    sites: 'situs',
    shownAll: '{n} {kind}, {edges} tautan',
    shownSome: '{n} terbaik dari {total} {kind}',
    search: 'Cari judul dan alamat',
    found: '{n} ditemukan',
    noneFound: 'Tidak ada yang cocok.',
    colourBy: 'Warna menurut',
    host: 'host',
    relevance: 'relevansi',
    otherHosts: 'host lain',
    best: 'Terbaik menurut PageRank',
    zoomIn: 'Perbesar',
    zoomOut: 'Perkecil',
    fit: 'Tampilkan semua',
    close: 'Kembali ke daftar',
    rank: 'PageRank',
    linksIn: 'Tautan masuk',
    linksOut: 'Tautan keluar',
    pagesHere: 'Halaman',
    hot: 'Penting',
    yes: 'ya',
    linkedFrom: 'Ditaut dari ({n} di peta ini)',
    linksTo: 'Menaut ke ({n} di peta ini)',
    low: 'rendah',
    high: 'tinggi',
    notJudged: 'tidak dinilai',
    map: 'Peta tautan. Tombol panah menggeser, plus dan minus memperbesar, 0 menampilkan semua, Escape melepas.',
    keys: 'Seret untuk menggeser, gulir atau cubit untuk memperbesar. Papan ketik: panah, + dan −, 0 untuk semua, Esc.',
    more: 'dan {n} lagi',
    pagesTitle: 'Halaman, perayapan {crawl}: {name}',
    pagesOfTitle: 'Halaman {host}, perayapan {crawl}: {name}',
    sitesTitle: 'Situs, perayapan {crawl}: {name}',
    sitesOfTitle: 'Situs di sekitar {host}, perayapan {crawl}: {name}',
  },
} as const

export type Words = Readonly<Record<keyof (typeof WORDS)['en'], string>>

/** Those of the browser's first language that is one of ours. */
export function chosenLanguage(languages: readonly string[]): 'en' | 'id' {
  for (const language of languages) {
    const [tag] = language.toLowerCase().split('-')
    // Malay readers read Indonesian more easily than English.
    if (tag === 'id' || tag === 'in' || tag === 'ms') return 'id'
    if (tag === 'en') return 'en'
  }
  return 'en'
}

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** What a map is of, in a few words. */
export function headingOf(
  kind: MapKind,
  { crawl, short, more, host }: MapSubject,
  words: Words,
): string {
  const name = more === 0 ? short : `${short} ${filled(words.more, { n: more })}`
  const isWhole = host === null
  const pages = isWhole ? words.pagesTitle : words.pagesOfTitle
  const sites = isWhole ? words.sitesTitle : words.sitesOfTitle
  return filled(kind === 'pages' ? pages : sites, { crawl, name, host: host ?? '' })
}
