// `jelajah crawl --dry-run`: what a crawl would do, and the words that its topic looks for.
import type { LookedFor } from '../../core/topic-text.ts'
import { showNumber } from '../../lib/format.ts'
import { safeText } from '../../lib/terminal.ts'
import { BOTH_LANGUAGES } from '../../text/text.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { type Column, table, wrap } from '../table.ts'
import type { CrawlOptions } from './run-crawl.ts'

/** Checks and shows everything; fetches and stores nothing. */
export async function runDry(options: CrawlOptions, out: Output): Promise<ExitCode> {
  const { seeds, settings, json, quiet } = options
  for (const warning of options.warnings) if (!quiet) out.warn(`warning: ${safeText(warning)}\n`)
  const topic =
    options.topic === null
      ? null
      : (await import('../../crawl/topic-source.ts')).lookedFor(options.topic)
  const { ordering, languages } = settings
  const told = { seeds, ordering, topic, languages }
  await out.write(json ? `${JSON.stringify(told)}\n` : printDryRun(told))
  return EXIT.done
}

type DryRun = {
  readonly seeds: readonly string[]
  readonly ordering: string
  readonly topic: LookedFor | null
  /** Pages in other languages are not stored; left out or empty: all are. */
  readonly languages?: readonly string[]
}

const WIDTH = 96
const SEEDS_SHOWN = 3

const COLUMNS: readonly Column<LookedFor['words'][number]>[] = [
  { title: 'LOOKED FOR', of: ({ stem }) => stem },
  { title: 'WEIGHT', align: 'right', of: ({ weight }) => weight.toFixed(2) },
  { title: 'AS TYPED', of: ({ forms }) => forms.join(', ') },
]

export function printDryRun({ seeds, ordering, topic, languages = [] }: DryRun): string {
  const more = seeds.length > SEEDS_SHOWN ? `, and ${seeds.length - SEEDS_SHOWN} more` : ''
  const lines = [
    `${showNumber(seeds.length, 'seed')}: ${seeds.slice(0, SEEDS_SHOWN).join(', ')}${more}`,
    `ordering ${ordering}`,
    ...(languages.length === 0 ? [] : [`stores pages in ${languages.join(' or ')}`]),
    ...(topic === null ? ['no topic: all pages are alike'] : aboutLines(topic)),
  ]
  return [
    ...lines.map((line) => wrapped(line)),
    topic === null || topic.words.length === 0 ? '' : `\n${table(COLUMNS, topic.words)}`,
    topic === null ? '' : dropped(topic),
    '\nNothing was fetched or stored.\n',
  ].join('')
}

function aboutLines({ kind, languages, stems, fetches }: LookedFor): string[] {
  if (kind === 'language') return [`topic: pages written in ${languages.join(' or ')}`]
  if (fetches > 0) {
    const pages = showNumber(fetches, 'example page')
    return [`topic: told by examples; its words are known once ${pages} are fetched`]
  }
  const by = { words: 'in words', examples: 'told by examples', model: 'told by a model' }[kind]
  const both = stems === BOTH_LANGUAGES ? 'id and en' : stems
  return [`topic: ${by}${both === '' ? '' : `, stems of ${both}`}`]
}

function dropped(topic: LookedFor): string {
  if (topic.dropped.length === 0) return ''
  return `\n${wrapped(`Not looked for, since they are stop words: ${topic.dropped.join(', ')}`)}`
}

function wrapped(text: string): string {
  return `${wrap(text, WIDTH).join('\n')}\n`
}
