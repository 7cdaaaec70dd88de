// Runs the sample web as a program of its own, so that its log outlives whatever crawls it:
//   sh scripts/node test/site/serve.ts --pages 5000 --port 8099 --seed 1 --log FILE
import { parseArgs } from 'node:util'
import { demoSite, threeUnequalSites } from './samples.ts'
import { startSite } from './server.ts'
import { createSite, type Site } from './site.ts'

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '500' },
    hosts: { type: 'string' },
    port: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    log: { type: 'string' },
    'latency-ms': { type: 'string', default: '0' },
    'mean-bytes': { type: 'string', default: '11000' },
    specials: { type: 'string', default: '1' },
    'crawl-delay': { type: 'string', default: '0' },
    /** `demo` or `unequal`: a ready-made site instead. */
    sample: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

const site = chosenSite()
const served = await startSite(site, {
  port: numberOf('port'),
  latencyMs: numberOf('latency-ms'),
  // With a file nobody reads the records in memory.
  ...(values.log !== undefined && { logFile: values.log, keepRecords: 1000 }),
})
const { port, seeds } = served
if (values.json) {
  // One line, so that whoever started this can wait for it.
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
  return createSite({
    seed: numberOf('seed'),
    pages: numberOf('pages'),
    ...(values.hosts !== undefined && { hosts: numberOf('hosts') }),
    meanBytes: numberOf('mean-bytes'),
    specials: numberOf('specials'),
    crawlDelaySeconds: numberOf('crawl-delay'),
  })
}

function numberOf(name: Exclude<keyof typeof values, 'json'>): number {
  const number = Number(values[name])
  if (!(number >= 0)) throw new RangeError(`--${name} wants a number, not ${values[name]}`)
  return number
}
