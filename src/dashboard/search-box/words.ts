// What the search box says.

const WORDS = {
  en: {
    label: 'Search this site',
    placeholder: 'Search',
    results: 'Results',
    one: '1 result',
    many: '{n} results',
    nothing: 'Nothing found for “{q}”.',
    meant: 'Did you mean: {q}',
    more: 'More results',
    indexing: 'The pages are being indexed. Results follow in a moment.',
    empty: 'There is nothing to search yet.',
    busy: 'Many people search now. Trying again in a moment.',
    failed: 'The search cannot be reached now.',
    closed: 'The search is not open to this page.',
    untitled: '(no title)',
  },
  id: {
    label: 'Cari di situs ini',
    placeholder: 'Cari',
    results: 'Hasil',
    one: '1 hasil',
    many: '{n} hasil',
    nothing: 'Tidak ada hasil untuk “{q}”.',
    meant: 'Maksud Anda: {q}',
    more: 'Hasil lainnya',
    indexing: 'Halaman sedang diindeks. Hasilnya akan segera muncul.',
    empty: 'Belum ada yang dapat dicari.',
    busy: 'Sedang banyak yang mencari. Sebentar lagi dicoba lagi.',
    failed: 'Pencarian sedang tidak dapat dihubungi.',
    closed: 'Pencarian tidak dibuka untuk halaman ini.',
    untitled: '(tanpa judul)',
  },
} as const

export type Words = Readonly<Record<keyof (typeof WORDS)['en'], string>>

/** `lang`: a language tag; English for all but Indonesian. */
export function wordsFor(lang: string): Words {
  return /^id\b/i.test(lang) ? WORDS.id : WORDS.en
}
