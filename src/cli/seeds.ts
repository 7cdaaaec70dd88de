// `jelajah seeds`: lists the hosts that a crawl leads to and does not enter, in the form of a seed file.
import { showNumber } from '../lib/format.ts'
import { jsonLine } from '../lib/json-line.ts'
import { safeText } from '../lib/terminal.ts'
import { type ChosenBy, number } from '../options/option.ts'
import type { BeyondHost } from '../reads/shapes/page.ts'
import { type Command, readCommand } from './command.ts'
import { CRAWL, JSON_OUTPUT, QUIET } from './common-options.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { Surroundings } from './sources.ts'
import { STORE_OPTIONS } from './workspace-options.ts'

const DEFAULT_LIMIT = 20

const OPTIONS = [
  ...STORE_OPTIONS,
  CRAWL,
  number({
    name: 'limit',
    aliases: ['top'],
    min: 1,
    max: 100_000,
    default: String(DEFAULT_LIMIT),
    help: 'the N that most hosts link to',
  }),
  { ...JSON_OUTPUT, help: 'one JSON object per line' },
  QUIET,
] as const

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  examples: [
    ['seeds', 'hosts that the newest crawl links to and leaves alone'],
    ['seeds --limit 10 | jelajah crawl --seed-file - --name next', 'a crawl that begins with them'],
    ['seeds --json --limit 1000 > hosts.ndjson', 'as JSON, with the hosts that link there'],
  ],
  run: (argv, around, out) => runSeeds(parseSeeds(argv, around), out),
}

const DEFAULTS = { json: false, crawl: null, limit: DEFAULT_LIMIT, quiet: false }

type SeedsOptions = ReturnType<typeof parseSeeds>

function parseSeeds(argv: readonly string[], around: Surroundings) {
  const read = readCommand<ChosenBy<typeof OPTIONS>>(OPTIONS, argv, around)
  const { chosen, workspace, problems } = read
  problems.throwIfAny()
  return { ...DEFAULTS, ...chosen, ...workspace }
}

async function runSeeds(options: SeedsOptions, out: Output): Promise<ExitCode> {
  const { workspaceOf } = await import('../workspace/open-workspace.ts')
  const { chooseCrawl } = await import('../workspace/find-crawl.ts')
  const { openReadsHere } = await import('../reads/reads.ts')
  await using workspace = workspaceOf(options)
  const { id } = await chooseCrawl(workspace, options.crawl)
  await using reads = openReadsHere(workspace)
  const { hosts, total, cut } = await reads.beyond(id, options)
  for (const host of hosts) await out.write(options.json ? jsonLine(host) : seedText(host))
  if (options.quiet) return EXIT.done
  if (total === 0) out.warn('no page of this crawl links to a host that it does not enter\n')
  else if (total > hosts.length) out.warn(`${hosts.length} of ${showNumber(total, 'host')}\n`)
  if (cut) out.warn('the crawl has too many links to count all of them\n')
  return EXIT.done
}

/** A line for people, which a seed file skips, and the seed. */
export function seedText({ host, url, pages, hosts, text }: BeyondHost): string {
  const linking = `${showNumber(pages, 'page')} of ${showNumber(hosts, 'host')}`
  const words = text === '' ? '' : `, such as "${text}"`
  return `# ${safeText(`${host}: linked from ${linking}${words}`)}\n${safeText(url)}\n`
}
