// `jelajah parse`: its flags, and how they become what to parse, how it is fetched and how it is shown.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InvalidInput, Refused, shown } from '../../core/errors.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { Problems } from '../../options/bad-options.ts'
import { flag, type Option, text } from '../../options/option.ts'
import { type CrawlChoices, crawlOptions } from '../../options/options.ts'
import { hasCredentials, seedUrl } from '../../options/seeds.ts'
import { settingsFrom } from '../../options/settings.ts'
import { ORDERING_CHOICES } from '../../ordering/index.ts'
import { type Args, parseArgs, refuseWords } from '../args.ts'
import type { Command } from '../command.ts'
import { JSON_OUTPUT } from '../common-options.ts'
import { readOptions, readSources, type Surroundings } from '../sources.ts'
import type { ParseOptions, ParseSource } from './run-parse.ts'

type OwnChoices = {
  readonly pageUrl: CanonicalUrl
  readonly contentType: string
  readonly json: boolean
  readonly markdown: boolean
}

const OWN_OPTIONS: readonly Option<OwnChoices>[] = [
  { ...JSON_OUTPUT, help: 'print one JSON object: the fields of the page and its parts' },
  flag({
    name: 'markdown',
    help: 'print the main content as Markdown and nothing else; with --json as content_markdown',
  }),
  text({
    name: 'url',
    value: 'URL',
    default: 'http://localhost/ and the name of the file',
    help:
      'the address of the page in a file: relative links start there, and what the page is and ' +
      'what its main text is are judged by it too, so give it where you know it',
    to: (written) => ({ pageUrl: pageUrlOf(written) }),
  }),
  text({
    name: 'content-type',
    value: 'TYPE',
    default: 'guessed',
    help: 'the type of a file as a server would name it, such as "text/html; charset=utf-8"',
  }),
]

const CRAWL_OPTIONS = crawlOptions(ORDERING_CHOICES)
/** How the one page is asked for. */
const FETCH_NAMES = [
  'timeout',
  'delay',
  'contact',
  'user-agent',
  'ignore-robots',
  'allow-private',
  'connect-to',
  'dns',
  'proxy',
  'http2',
  'insecure-tls',
]
const SIZES: readonly string[] = ['max-body', 'max-links-body']
const SIZE_OPTION = CRAWL_OPTIONS.filter(({ name }) => SIZES.includes(name))
const PARTS_OPTION = CRAWL_OPTIONS.filter(({ name }) => name === 'parts').map((option) => ({
  ...option,
  default: 'all with --json, else only counted',
  help: option.help.replace(/^[^:]*/, 'which parts are listed'),
}))

/** About the page, wherever it comes from, and how it is shown. */
const FIELDS_OPTION = CRAWL_OPTIONS.filter(({ name }) => name === 'fields')
const PAGE_OPTIONS = [...OWN_OPTIONS, ...PARTS_OPTION, ...FIELDS_OPTION, ...SIZE_OPTION]
const FETCH_OPTIONS = CRAWL_OPTIONS.filter(({ name }) => FETCH_NAMES.includes(name))
const SETTINGS = [...SIZE_OPTION, ...FETCH_OPTIONS]

export const command: Command = {
  usage: '<file|url|-> [options]',
  options: PAGE_OPTIONS,
  more: { title: 'When the page is a URL:', options: FETCH_OPTIONS },
  examples: [
    ['parse https://example.com/page', 'fetched politely, shown for reading'],
    ['parse page.html --url https://example.com/page --json', 'a file, as one JSON object'],
    ['parse page.html --parts links,images', 'with its links and images listed'],
    ['parse - --markdown < page.html', 'from stdin, the main content as Markdown'],
  ],
  run: async (argv, around, out) => {
    const options = await withFields(parseParse(argv, around), around)
    const colours = process.stdout.isTTY && process.stdout.hasColors()
    return (await import('./run-parse.ts')).runParse(options, out, { colours })
  },
}

export function parseParse(argv: readonly string[], around: Surroundings): ParseOptions {
  const problems = new Problems()
  const args = parseArgs(argv, [...PAGE_OPTIONS, ...FETCH_OPTIONS], problems)
  const sources = readSources(args, around, problems)
  // The config file is written for `crawl`: only its keys about fetching, and how much, count here.
  const fileKeys = SETTINGS.map(({ name }) => name.replaceAll('-', ''))
  const file = new Map([...sources.file].filter(([key]) => fileKeys.includes(key)))
  const own = readOptions(OWN_OPTIONS, { ...sources, file: new Map() }, problems)
  const parts = readOptions(PARTS_OPTION, { ...sources, file: new Map() }, problems).parts
  const { fields = null } = readOptions(FIELDS_OPTION, { ...sources, file: new Map() }, problems)
  const chosen: Partial<CrawlChoices> = readOptions(SETTINGS, { ...sources, file }, problems)
  const source = problems.try('flag', () => sourceOf(args, around))
  if (source?.kind === 'url') refuseFileOptions(args, problems)
  if (parts !== undefined && own.markdown && !own.json) {
    problems.add('flag', '--parts', '--markdown prints the text alone; add --json to have both')
  }
  refuseWords(args, 1, problems)
  problems.throwIfAny()
  // Values that could not be read have been reported.
  if (source === null) throw new InvalidInput('parse', 'has nothing to parse')
  return {
    source,
    url: own.pageUrl ?? null,
    contentType: own.contentType ?? null,
    settings: { ...settingsFrom(chosen, around.cores), fields },
    parts: parts ?? null,
    json: own.json ?? false,
    markdown: own.markdown ?? false,
    warnings: warningsFor(args),
  }
}

/** Rules for fields are read from their file. */
async function withFields(options: ParseOptions, { cwd }: Surroundings): Promise<ParseOptions> {
  const { settings } = options
  if (settings.fields === null) return options
  const problems = new Problems()
  const { readFields } = await import('../../fields/read-fields.ts')
  const fields = await readFields(settings.fields, cwd, problems)
  problems.throwIfAny()
  return { ...options, settings: { ...settings, fields } }
}

function sourceOf({ words }: Args, { cwd }: Surroundings): ParseSource {
  const [word = ''] = words
  if (word === '') {
    throw new InvalidInput('parse', 'give a file, a URL that begins with http, or - for stdin')
  }
  if (word === '-') return { kind: 'stdin' }
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(word)?.[1]?.toLowerCase()
  if (scheme === undefined) return { kind: 'file', path: resolve(cwd, word), name: word }
  if (scheme === 'file') return { kind: 'file', path: pathOfFileUrl(word), name: word }
  const url = seedUrl(word)
  if (url !== null) return { kind: 'url', url }
  throw new InvalidInput('parse', `${shown(word)} is not an http or https URL`)
}

function pathOfFileUrl(word: string): string {
  try {
    return fileURLToPath(word)
  } catch {
    throw new InvalidInput('parse', `${shown(word)} names no file on this machine`)
  }
}

function refuseFileOptions({ given }: Args, problems: Problems): void {
  for (const name of ['url', 'content-type']) {
    const flag = given.get(name)?.at
    if (flag !== undefined) problems.add('flag', flag, 'is for a file or stdin, not for a URL')
  }
}

function pageUrlOf(written: string): CanonicalUrl {
  const url = seedUrl(written)
  if (url === null) throw new Refused(`needs an http or https URL, not ${shown(written)}`)
  return url
}

function warningsFor({ words: [word = ''] }: Args): readonly string[] {
  if (!/^https?:\/\//i.test(word) || !hasCredentials(word)) return []
  return ['the user name and password of this URL are not used.']
}
