// What the text tools are given to do: words and texts of real pages, words built by the rules of
// Indonesian, sentences and pages whose language is known, `srcset` attributes of all sorts.
import { primaryLanguage } from '../../src/text/text.ts'
import { tokens } from '../../src/text/tokens.ts'
import { createRandom } from '../../test/html/mutate.ts'
import { documentationRoot } from '../crawl/webs.ts'
import { readSets } from '../extraction/data.ts'
import { extract } from '../extraction/extract.ts'
import { samplePages } from '../page-files.ts'
import { SENTENCES } from './sentences.ts'

export type Labelled = { readonly text: string; readonly language: string }

export type Material = {
  /** Different words. */
  readonly english: readonly string[]
  readonly indonesian: readonly string[]
  /** Of TEXT_LENGTH characters each, and the words of each. */
  readonly texts: readonly string[]
  readonly tokens: readonly (readonly string[])[]
  readonly sentences: readonly Labelled[]
  /** None without a folder of pages with truth. */
  readonly pages: readonly Labelled[]
  readonly srcsets: readonly string[]
}

export type MaterialOptions = {
  /** How many real pages words and texts are taken from. */
  readonly pages: number
  /** A folder of pages with truth, see README.md in bench. */
  readonly truth: string | undefined
}

export const TEXT_LENGTH = 5000
/** A shorter text does not tell its language to anybody. */
const MIN_LABELLED = 200

export function materialFrom({ pages, truth }: MaterialOptions): Material {
  const whole = samplePages(documentationRoot(), { limit: pages }).map(
    ({ bytes }) => extract(bytes.toString('utf8')).text,
  )
  const texts = whole.filter(({ length }) => length >= TEXT_LENGTH).map(opening)
  return {
    english: [...new Set(whole.flatMap((text) => tokens(text).filter(isWord)))],
    indonesian: indonesianWords(),
    texts,
    tokens: texts.map((text) => tokens(text)),
    sentences: Object.entries(SENTENCES).flatMap(([language, list]) =>
      list.map((text) => ({ text, language })),
    ),
    pages: truth === undefined ? [] : labelledPages(truth),
    srcsets: srcsets(),
  }
}

function opening(text: string): string {
  return text.slice(0, TEXT_LENGTH)
}

/** Numbers and other scripts have no stem in any of these. */
function isWord(word: string): boolean {
  return /^[a-z']+$/.test(word)
}

function labelledPages(folder: string): Labelled[] {
  const pages = readSets(folder, null).flatMap((set) => set.pages)
  return pages
    .map(({ text, snippets, lang }) => ({
      text: text ?? snippets?.required.join('\n') ?? '',
      language: primaryLanguage(lang),
    }))
    .filter(({ text, language }) => text.length >= MIN_LABELLED && !/^(?:und)?$/.test(language))
}

const ROOTS = `ajar baca tulis makan minum jalan kerja main pakai beri ambil kirim terima bangun
  tanam potong sapu lihat dengar bicara kata tanya jawab hitung ukur gambar warna cuci masak
  goreng rebus bakar dingin panas besar kecil tinggi rendah jauh dekat cepat lambat kuat lemah
  sehat sakit obat rumah kota desa laut gunung sungai hutan hujan angin tanah batu kayu besi
  perintah satu dua bersih kotor hidup mati indah bahagia selesai mulai`.split(/\s+/)
const PREFIXES =
  ' me mem men meng meny di ke se ter ber bel per pe pem pen peng memper diper keber'.split(' ')
const SUFFIXES = ' kan an i nya kannya annya lah kah kanlah mu ku'.split(' ')

/** Every root with every pair of affixes: more than people say, but the rules must know what to do. */
function indonesianWords(): string[] {
  const words = ROOTS.flatMap((root) =>
    PREFIXES.flatMap((prefix) => SUFFIXES.map((suffix) => prefix + root + suffix)),
  )
  return [...new Set(words)]
}

const SRCSETS = 2000
const DESCRIPTORS = ['', ' 320w', ' 640w', ' 1280w', ' 1x', ' 2x', ' 1.5x', ' 640w 480h', ' 2q']
const SEPARATORS = [', ', ',', ',\n    ', ' , ', ', , ']
const PATHS = ['/a.jpg', 'b,c.png', 'https://cdn.test/w_640,h_480/d.webp', '/e.png?x=1&y=(2)']

/** As pages have them, well made and not, the same ones each time. */
function srcsets(): string[] {
  const random = createRandom(1)
  const one = <T>(list: readonly T[]): T | undefined => list[random(list.length)]
  return Array.from({ length: SRCSETS }, () => {
    const count = 1 + random(8)
    const pieces = Array.from({ length: count }, () => `${one(PATHS)}${one(DESCRIPTORS)}`)
    return pieces.join(one(SEPARATORS))
  })
}
