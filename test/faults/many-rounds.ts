// Many crawls by several workers, each with other faults at other moments, one after the other:
//   sh scripts/node test/faults/many-rounds.ts --rounds 100 --seed 1
//   sh scripts/node test/faults/many-rounds.ts --rounds 100 --seed 1 --postgres-alone
//   sh scripts/node test/faults/many-rounds.ts --rounds 1 --pages 20000 --hosts 40 --lease 15 \
//     --exactly kill-worker,restart-redis,stop-worker,restart-postgres,kill-worker --gap 20000
// Ends with 1 when a promise was broken; the seed of such a round runs it again alone.
import { parseArgs } from 'node:util'
import { Stream } from '../../src/sample-web/random.ts'
import { type FaultRound, faultRound, type RoundResult } from './fault-round.ts'
import { FAULTS, type Fault, OF_REDIS } from './faults.ts'
import { openStage } from './stage.ts'

/** Longer than everything that programs wait for before they go on. */
const PATIENCE_MS = 120_000
/** Of each program. */
const SAID_LINES = 8
const HELD_CHARS = 8_000

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '400' },
    hosts: { type: 'string', default: '16' },
    faults: { type: 'string', default: '5' },
    delay: { type: 'string', default: '100' },
    /** How long one that falls silent is taken to live, in seconds. */
    lease: { type: 'string', default: '3' },
    /** The most between two faults, in ms. */
    gap: { type: 'string', default: '1500' },
    /** Drawn from these. */
    only: { type: 'string' },
    /** These, in this order. */
    exactly: { type: 'string' },
    /** The frontier is in PostgreSQL, too. */
    'postgres-alone': { type: 'boolean', default: false },
  },
})
const first = Number(values.seed)
const pages = Number(values.pages)
let bad = 0
for (let nth = 0; nth < Number(values.rounds); nth += 1) {
  const seed = first + nth
  const faults = faultsOf(new Stream(seed))
  // Every fourth has a limit that it must keep to the page.
  const maxPages = seed % 4 === 3 ? Math.floor(pages / 2) : null
  const begun = performance.now()
  const everyMs = [100, Number(values.gap)] as const
  const result = await oneRound(seed, { faults, everyMs, maxPages })
  const seconds = inSeconds(performance.now() - begun)
  const { stored, requests, broken: promises, done, restMs } = result
  const after = `${seconds} s, ${inSeconds(restMs)} s of it after the last fault`
  console.log(`seed ${seed}: ${stored} pages, ${requests} requests, ${after}; ${done.join('; ')}`)
  for (const text of promises.slice(0, 20)) console.log(`  BROKEN ${text}`)
  for (const line of result.said) console.log(`    ${line}`)
  if (promises.length > 0) bad += 1
}
console.log(`${values.rounds} rounds, ${bad} with broken promises`)
process.exitCode = bad > 0 ? 1 : 0

type Told = RoundResult & {
  /** By the programs of a round that broke a promise. */
  readonly said: readonly string[]
}

async function oneRound(seed: number, round: FaultRound): Promise<Told> {
  const { hosts, delay, lease } = values
  await using stage = await openStage({
    ...{ seed, pages, hosts: Number(hosts), workers: 4, delayMs: Number(delay) },
    ...{ leaseS: Number(lease), patienceMs: PATIENCE_MS },
    isPostgresAlone: values['postgres-alone'],
  })
  const result = await faultRound(stage, round).catch((error) => broken(error, round.faults))
  if (result.broken.length === 0) return { ...result, said: [] }
  const held = `held: ${(await stage.held()).slice(0, HELD_CHARS)}`
  return { ...result, said: [...stage.said(SAID_LINES), held] }
}

function faultsOf(random: Stream): readonly Fault[] {
  if (values.exactly !== undefined) return values.exactly.split(',') as Fault[]
  const isThere = (fault: Fault) => !values['postgres-alone'] || !OF_REDIS.includes(fault)
  const chosen =
    values.only === undefined ? FAULTS.filter(isThere) : (values.only.split(',') as Fault[])
  return Array.from({ length: Number(values.faults) }, () => random.pick(chosen))
}

function broken(error: unknown, faults: readonly Fault[]): RoundResult {
  return { broken: [String(error)], done: faults, stored: 0, requests: 0, restMs: 0 }
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
