import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Redis } from 'ioredis'
import { hostTurnsContract } from '../../../test/contract/host-turns.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { type Clock, ManualClock, systemClock } from '../../lib/clock.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { askIn, emptyLine, endIn, leaveIn, restIn, startIn, tidy } from '../host-line.ts'
import { openRedisHostTurns } from './redis-host-turns.ts'
import { TurnScript, type TurnStep } from './turn-script.ts'

async function openRedis() {
  const client = new Redis(await sharedRedisUrl())
  const lua = readFileSync('src/db/redis/turns.lua', 'utf8')
  const prefix = `test-${randomBytes(8).toString('hex')}`
  return {
    prefix,
    client,
    run: (_: string, keys: string[], args: (string | number)[]) =>
      client.eval(lua, keys.length, ...keys, ...args),
    call: (name: string, ...args: (string | number)[]) => client.call(name, ...args),
    [Symbol.asyncDispose]: async () => {
      const keys = await client.keys(`{${prefix}:*`)
      if (keys.length > 0) await client.del(keys)
      client.disconnect()
    },
  }
}

hostTurnsContract('Redis', async () => {
  const connection = await openRedis()
  return {
    open: (holder, clock) =>
      openRedisHostTurns({ connection, holder, clock, clockIsShared: true, loneNewsMs: 0 }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
})

const WANTED = { delayMs: 1000, perHost: 1, forMs: 30_000 }

test('the rules in Redis are those of host-line.ts', async () => {
  await using connection = await openRedis()
  const random = seededRandom(11)
  const clock = new ManualClock()
  const holders = ['one', 'two', 'three']
  const scripts = holders.map(
    (holder) => new TurnScript({ connection, holder, clock, clockIsShared: true }),
  )
  const line = emptyLine()
  const held = holders.map((): { name: string; hasStarted: boolean; until: number }[] => [])
  let named = 0
  for (let nth = 0; nth < 1500; nth++) {
    clock.advance(Math.floor(random() ** 4 * 9000))
    const now = clock.now()
    const who = Math.floor(random() * holders.length)
    const [holder, script, mine] = [holders[who]!, scripts[who]!, held[who]!]
    tidy(line, now)
    // What the line took for over is over for both.
    if (!line.shares.some((share) => share.holder === holder && share.inFlight > 0)) mine.length = 0
    const dice = random()
    const run = async (...step: TurnStep) => (await script.run('a.test', [step])).answers[0]
    const turn = mine[Math.floor(random() * mine.length)]
    if (dice < 0.03) {
      const forMs = Math.floor(random() * 5000)
      restIn(line, now + forMs, `trouble ${nth}`)
      await run('rest', '', forMs, `trouble ${nth}`)
    } else if (dice < 0.06) {
      leaveIn(line, holder, now)
      mine.length = 0
      await run('leave', '', 0, '')
    } else if (dice < 0.3 && turn !== undefined && !turn.hasStarted) {
      const ago = Math.floor(random() * 20)
      startIn(line, holder, now - ago, now)
      turn.hasStarted = true
      await run('start', turn.name, ago, '')
    } else if (dice < 0.6 && turn !== undefined) {
      endIn(line, holder, turn.hasStarted)
      mine.splice(mine.indexOf(turn), 1)
      await run('end', turn.name, 0, '')
    } else {
      const delayMs = [0, 100, 1000][Math.floor(random() * 3)]!
      const wanted = { delayMs, perHost: 1 + Math.floor(random() * 3), forMs: 3000 }
      const at = askIn(line, holder, wanted, now)
      const name = `turn ${named++}`
      if (at === null) mine.push({ name, hasStarted: false, until: now })
      const answer = await run('ask', name, delayMs, `${wanted.perHost} ${wanted.forMs}`)
      assert.equal(answer?.at, at, `step ${nth}`)
      if (at !== null && line.restsUntil > now) assert.equal(answer?.trouble, line.trouble)
    }
  }
  assert.ok(named > 500)
})
