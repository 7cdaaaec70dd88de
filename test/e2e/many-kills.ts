// Many small crawls whose processes are killed over and over, with one scouter and with three by turns:
//   sh scripts/node test/e2e/many-kills.ts --kills 3000 --seed 1
// Ends with 1 when a promise was broken; the seed of such a crawl runs it again alone.
import { parseArgs } from 'node:util'
import { crawlOnce } from './kills.ts'

/** Of one crawl. */
const KILLS = 15
const SCOUTERS = [1, 3] as const

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '3000' }, seed: { type: 'string', default: '1' } },
})
let total = 0
let bad = 0
for (let seed = Number(values.seed); total < Number(values.kills); seed++) {
  const scouters = SCOUTERS[seed % SCOUTERS.length] ?? 1
  const { kills, broken } = await crawlOnce({ seed, kills: KILLS, scouters })
  total += kills.length
  const roles = kills.map(({ role }) => role).join(' ')
  console.log(
    `seed ${seed}, ${scouters} scouters: ${kills.length} kills (${roles}), ${total} in all`,
  )
  for (const text of broken.slice(0, 20)) console.log(`  BROKEN ${text}`)
  if (broken.length > 0) bad++
}
console.log(`${total} kills, ${bad} crawls with broken promises`)
process.exitCode = bad > 0 ? 1 : 0
