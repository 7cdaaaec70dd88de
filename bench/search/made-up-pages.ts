// Pages of made-up words that are as frequent as in real texts: Zipf's law with Mandelbrot's shift, half a million
// different words, short words more common than long ones, and pages that repeat their own words. The most
// common words are the stop words of English. A page is made from its number, so none needs to be kept.
import type { SearchedPage } from '../../src/core/page.ts'
import { canonicalise } from '../../src/core/url.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'

export const WORDS = 500_000
const MEAN_LENGTH = 300
/** So often a page repeats one of its own words. */
const REPEATED = 0.35
const HOSTS = 2000
const STOP =
  'the of and to in a is for that on with as it by be this are from or at an not have has was were which their but they'
const [ONSETS, VOWELS, CODAS] = [
  ' b c d f g h j k l m n p r s t v w st tr pr cl gr'.split(' '),
  'a e i o u ea ou'.split(' '),
  '  n r s t l m nt'.split(' '),
]

const words = packed(vocabulary())
const cumulated = new Float64Array(WORDS)
for (let at = 0, sum = 0; at < WORDS; at++) {
  sum += 1 / (at + 2.7) ** 1.05
  cumulated[at] = sum
}

/** As bytes: half a million strings would be half of what the garbage collector looks at while searches are measured. */
function packed(all: readonly string[]): { readonly bytes: Buffer; readonly ends: Uint32Array } {
  let end = 0
  const ends = Uint32Array.from(all, (word) => {
    end += word.length
    return end
  })
  return { bytes: Buffer.from(all.join(''), 'latin1'), ends }
}

function vocabulary(): string[] {
  const all = new Set(STOP.split(' '))
  const random = seededRandom(3)
  const pick = (of: readonly string[]) => of[Math.floor(random() ** 1.5 * of.length)] ?? ''
  for (let rank = all.size; all.size < WORDS; rank++) {
    const syllables = 1 + Math.floor(Math.log10(rank / 20 + 1) * 0.8 + random())
    let word = ''
    for (let nth = 0; nth < syllables; nth++) word += pick(ONSETS) + pick(VOWELS) + pick(CODAS)
    all.add(word.length < 3 ? `${word}${pick(CODAS)}n` : word)
  }
  return [...all]
}

/** The word of this rank, from 0. */
export function wordAt(rank: number): string {
  const at = Math.min(WORDS - 1, rank)
  return words.bytes.toString('latin1', at === 0 ? 0 : words.ends[at - 1], words.ends[at])
}

/** A rank, as often as the word of that rank is used. */
export function usualRank(random: () => number): number {
  const wanted = random() * (cumulated[WORDS - 1] ?? 0)
  let [low, high] = [0, WORDS - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulated[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

export function madeUpPage(id: number): SearchedPage {
  const random = seededRandom(id)
  const length = Math.ceil(
    MEAN_LENGTH * Math.exp(0.7 * (random() + random() + random() - 1.5) * 2) * 0.8,
  )
  const text: string[] = []
  for (let nth = 0; nth < length; nth++) {
    const again = nth > 10 && random() < REPEATED ? text[Math.floor(random() * nth)] : undefined
    text.push(again ?? wordAt(usualRank(random)))
  }
  const telling = text.filter((word) => word.length > 3)
  const title = telling.slice(0, 3 + Math.floor(random() * 5)).join(' ')
  const host = `h${Math.floor(random() ** 3 * HOSTS)}.test`
  const url = canonicalise(`http://${host}/${telling[4] ?? 'page'}/${id}`)
  if (url === null) throw new Error('no URL')
  return {
    ...{ id, crawlId: 1 + (id % 3), url, title, description: '', keywords: '', language: 'en' },
    ...{
      kind: id % 4 === 0 ? 'article' : 'other',
      hot: id % 10 === 0,
      fetchedAt: id * 1000,
      publishedAt: null,
    },
    contentType: 'text/html',
    contentText: text.join(' '),
  }
}
