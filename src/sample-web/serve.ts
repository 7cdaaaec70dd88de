// Runs the sample web as a separate program, so that its log outlives the crawler:
//   sh scripts/node src/sample-web/serve.ts --pages 5000 --port 8099 --seed 1 --log FILE
import { parseArgs } from 'node:util'
import { errorCode } from '../lib/present.ts'
import { demoSite, threeUnequalSites } from './samples.ts'
import { startSite } from './server.ts'
import { createSite, type Site } from './site.ts'

const USAGE = `The sample web, on this machine alone, until Ctrl-C.

  sh scripts/node src/sample-web/serve.ts [flags]

  --pages N         about so many pages (500)
  --hosts N         on so many hosts
  --seed N          another number is another web (1)
  --sample NAME     a ready-made one instead: demo or unequal; only --seed changes it
  --port N          0 is any free one (0)
  --latency-ms N    time before each answer (0)
  --mean-bytes N    size of a page (11000)
  --specials N      how many redirects, copies, dead links … (1)
  --crawl-delay N   what robots.txt asks for, in seconds (0)
  --log FILE        write each request there, as a line of JSON
  --json            tell port and seeds as one line of JSON
  --help            this
`

const FLAGS = {
  pages: { type: 'string', default: '500' },
  hosts: { type: 'string' },
  port: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
  log: { type: 'string' },
  'latency-ms': { type: 'string', default: '0' },
  'mean-bytes': { type: 'string', default: '11000' },
  specials: { type: 'string', default: '1' },
  'crawl-delay': { type: 'string', default: '0' },
  sample: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const

/** Options that a ready-made web fixes itself. */
const OF_NO_SAMPLE = ['pages', 'hosts', 'mean-bytes', 'specials', 'crawl-delay']

const values = flags()
if (values.help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
const site = chosenSite()
const served = await startSite(site, {
  port: numberOf('port'),
  latencyMs: numberOf('latency-ms'),
  // With a log file the records in memory are not read.
  ...(values.log !== undefined && { logFile: values.log, keepRecords: 1000 }),
}).catch(cannotServe)
const { port, seeds } = served
if (values.json) {
  // One line, so that the parent process can wait for it.
  console.log(JSON.stringify({ port, pages: site.pages, hosts: site.hosts.length, seeds }))
} else {
  for (const seed of seeds) console.log(seed)
  console.log(`${site.pages} pages on ${site.hosts.length} hosts, port ${port}; Ctrl-C ends it`)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void served[Symbol.asyncDispose]())
}

function chosenSite(): Site {
  if (values.sample === 'demo') return demoSite(numberOf('seed'))
  if (values.sample === 'unequal') return threeUnequalSites(numberOf('seed'))
  if (values.sample !== undefined) leave(`there is no sample ${values.sample}`, 2)
  return createSite({
    seed: numberOf('seed'),
    pages: numberOf('pages'),
    ...(values.hosts !== undefined && { hosts: numberOf('hosts') }),
    meanBytes: numberOf('mean-bytes'),
    specials: numberOf('specials'),
    crawlDelaySeconds: numberOf('crawl-delay'),
  })
}

function flags() {
  try {
    const { values, tokens } = parseArgs({ options: FLAGS, tokens: true })
    const given = tokens.map((token) => (token.kind === 'option' ? token.name : ''))
    const ignored = given.find((name) => OF_NO_SAMPLE.includes(name))
    if (values.sample === undefined || ignored === undefined) return values
    return leave(`--${ignored} means nothing with --sample`, 2)
  } catch (error) {
    return leave(error, 2)
  }
}

function numberOf(name: Exclude<keyof typeof values, 'json' | 'help'>): number {
  const number = Number(values[name])
  if (!(number >= 0)) leave(`--${name} wants a number, not ${values[name]}`, 2)
  return number
}

function cannotServe(error: unknown): never {
  const isTaken = errorCode(error) === 'EADDRINUSE'
  const taken = `port ${values.port} is in use: choose another with --port, or 0 for any free one`
  return leave(isTaken ? taken : error, 1)
}

/** One line: a stack trace does not help a user who only wants a web to crawl. */
function leave(why: unknown, code: number): never {
  const text = why instanceof Error ? why.message : String(why)
  const hint = code === 2 ? '; --help shows what it takes' : ''
  process.stderr.write(`${text}${hint}\n`)
  process.exit(code)
}
