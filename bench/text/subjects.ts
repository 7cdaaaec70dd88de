// What is measured: our own tools, and the packages that do the same. A package is asked as its
// users would ask it, with whatever makes it fast.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Stemmer } from '../../src/text/text.ts'

export const RULES = ['english', 'indonesian'] as const
export type Rules = (typeof RULES)[number]

export type Tools = {
  /** Without a memory. */
  readonly stemmers?: Readonly<Partial<Record<Rules, Stemmer>>>
  /** The same stemmer with a memory. */
  readonly remembering?: (stem: Stemmer) => Stemmer
  /** The tag of a text's language, '' when it is not told; and all it can tell, where it says so. */
  readonly detect?: (text: string) => string
  readonly languages?: readonly string[]
  /** Candidates in one form for all: address, width, density. */
  readonly readSrcset?: (value: string) => string
  /** Other things that are done with a text. */
  readonly readers?: Readonly<Record<string, (text: string) => unknown>>
}

export type Subject = {
  readonly name: string
  /** Loads and makes ready; the first call. */
  load(): Promise<Tools>
}

const HERE = import.meta.dirname

export const OURS = 'Jelajah'

export const STEMMERS: readonly Subject[] = [
  { name: OURS, load: ourStemmers },
  { name: 'snowball-stemmers', load: snowball },
  { name: '@orama/stemmers', load: orama },
]
export const DETECTORS: readonly Subject[] = [
  { name: OURS, load: ourDetector },
  { name: 'eld (small)', load: eld },
]
export const SRCSETS: readonly Subject[] = [
  { name: OURS, load: ourSrcset },
  { name: 'parse-srcset', load: parseSrcsetPackage },
]
export const READERS: readonly Subject[] = [
  { name: OURS, load: ourReaders },
  { name: 'what Node has', load: builtIn },
]

/** Null when the packages are there, else why not. */
export function installPackages(): string | null {
  if (existsSync(join(HERE, 'node_modules', 'eld'))) return null
  process.stderr.write('Installing stemmers and detectors into bench/text/node_modules …\n')
  const options = ['--no-audit', '--no-fund', '--loglevel=error']
  try {
    execFileSync('npm', ['ci', ...options], { cwd: HERE, timeout: 300_000 })
    return null
  } catch (error) {
    return `npm could not install them: ${error instanceof Error ? error.message : error}`
  }
}

async function ourStemmers(): Promise<Tools> {
  const { english, indonesian } = await import('../../src/text/stem.ts')
  const { cachedStemmer } = await import('../../src/text/stem.ts')
  return { stemmers: { english, indonesian }, remembering: cachedStemmer }
}

async function snowball(): Promise<Tools> {
  type Snowball = { newStemmer(rules: string): { stem(word: string): string } }
  const { default: factory }: { default: Snowball } = await import(
    packageNamed('snowball-stemmers')
  )
  const stemmer = (rules: Rules): Stemmer => {
    const made = factory.newStemmer(rules)
    return (word) => made.stem(word)
  }
  return {
    stemmers: { english: stemmer('english') },
    remembering: remembered,
  }
}

async function orama(): Promise<Tools> {
  type Orama = { stemmer: Stemmer }
  const english: Orama = await import(packageNamed('@orama/stemmers/english'))
  const indonesian: Orama = await import(packageNamed('@orama/stemmers/indonesian'))
  return {
    stemmers: { english: english.stemmer, indonesian: indonesian.stemmer },
    remembering: remembered,
  }
}

async function ourDetector(): Promise<Tools> {
  const { detectLanguage } = await import('../../src/text/language.ts')
  return { detect: (text) => detectLanguage(text).language }
}

async function eld(): Promise<Tools> {
  type Eld = {
    detect(text: string): { language: string }
    info(): { Languages: Readonly<Record<string, string>> }
  }
  const { eld: detector }: { eld: Eld } = await import(packageNamed('eld/small'))
  return {
    detect: (text) => detector.detect(text).language,
    languages: Object.values(detector.info().Languages),
  }
}

async function ourSrcset(): Promise<Tools> {
  const { parseSrcset } = await import('../../src/parser/parts/image-list.ts')
  return {
    readSrcset: (value) =>
      parseSrcset(value)
        .map(({ url, width, density }) => `${url} ${width} ${density}`)
        .join('\n'),
  }
}

async function parseSrcsetPackage(): Promise<Tools> {
  type Parse = (value: string) => readonly { url: string; w?: number; d?: number }[]
  const { default: parse }: { default: Parse } = await import(packageNamed('parse-srcset'))
  // It prints every mistake of a page.
  console.log = () => {}
  return {
    readSrcset: (value) =>
      parse(value)
        .map(({ url, w, d }) => `${url} ${w ?? null} ${d ?? null}`)
        .join('\n'),
  }
}

async function ourReaders(): Promise<Tools> {
  const { tokens } = await import('../../src/text/tokens.ts')
  const { createTermReader } = await import('../../test/support/term-reader.ts')
  const reader = createTermReader('en')
  return {
    readers: {
      'words as strings': (text) => tokens(text),
      'terms counted (no stop words, stemmed)': (text) => reader.count(text),
    },
  }
}

/** The ways to find words that need no package. */
async function builtIn(): Promise<Tools> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  return {
    readers: {
      'words as strings': (text) => text.toLowerCase().match(/[\p{L}\p{N}\p{M}']+/gu),
      'words as strings, by Intl.Segmenter': (text) =>
        Array.from(segmenter.segment(text.toLowerCase()))
          .filter(({ isWordLike }) => isWordLike)
          .map(({ segment }) => segment),
    },
  }
}

function remembered(stem: Stemmer): Stemmer {
  const known = new Map<string, string>()
  return (word) => {
    let found = known.get(word)
    if (found === undefined) {
      found = stem(word)
      known.set(word, found)
    }
    return found
  }
}

/** Not written out in `import`: without the packages there are no types of them, either. */
function packageNamed(name: string): string {
  return name
}
