// Many crawls by several workers, each with other faults at other moments, one after the other:
//   sh scripts/node test/faults/many-rounds.ts --rounds 100 --seed 1
// Ends with 1 when a promise was broken; the seed of such a round runs it again alone.
import { parseArgs } from 'node:util'
import { Stream } from '../site/random.ts'
import { faultRound } from './fault-round.ts'
import { FAULTS, type Fault } from './faults.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '400' },
    hosts: { type: 'string', default: '16' },
    faults: { type: 'string', default: '5' },
    delay: { type: 'string', default: '100' },
    only: { type: 'string' },
  },
})
const first = Number(values.seed)
let bad = 0
for (let nth = 0; nth < Number(values.rounds); nth += 1) {
  const seed = first + nth
  const random = new Stream(seed)
  const chosen = values.only === undefined ? FAULTS : (values.only.split(',') as Fault[])
  const faults = Array.from({ length: Number(values.faults) }, () => random.pick(chosen))
  // Every fourth has a limit that it must keep to the page.
  const maxPages = nth % 4 === 3 ? Math.floor(Number(values.pages) / 2) : null
  const begun = performance.now()
  const result = await faultRound({
    ...{ seed, pages: Number(values.pages), hosts: Number(values.hosts), workers: 4 },
    ...{ delayMs: Number(values.delay), faults, everyMs: [100, 1_500], maxPages },
    ...{ pastLeaseMs: 17_000, patienceMs: 300_000 },
  }).catch((error: unknown) => ({ broken: [String(error)], done: faults, stored: 0, requests: 0 }))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const { stored, requests, broken, done } = result
  console.log(
    `seed ${seed}: ${stored} pages, ${requests} requests, ${seconds} s; ${done.join('; ')}`,
  )
  for (const text of broken.slice(0, 20)) console.log(`  BROKEN ${text}`)
  if (broken.length > 0) bad += 1
}
console.log(`${values.rounds} rounds, ${bad} with broken promises`)
process.exitCode = bad > 0 ? 1 : 0
