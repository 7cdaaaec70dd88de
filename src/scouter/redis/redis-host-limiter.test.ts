import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { hostTurnsContract } from '../../../test/contract/host-turns.contract.ts'
import { sharedRedisUrl } from '../../../test/servers/redis.ts'
import { openRedis, type RedisConnection } from '../../db/redis.ts'
import { ManualClock, systemClock } from '../../lib/clock.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { askIn, emptyLine, endIn, leaveIn, restIn, startIn, tidy } from '../host-limiter-rules.ts'
import { LimiterScript, type LimiterStep } from './limiter-script.ts'
import { openRedisHostTurns } from './redis-host-limiter.ts'

/** With keys that nobody else has. */
async function openOwn(url?: string) {
  const own = `prefix=test-${randomBytes(8).toString('hex')}`
  return openRedis({ url: `${url ?? (await sharedRedisUrl())}?${own}` })
}

async function keysOf(connection: RedisConnection): Promise<string[]> {
  const keys = await connection.call('KEYS', `{${connection.prefix}:*`)
  return Array.isArray(keys) ? keys.map(String).sort() : []
}

hostTurnsContract('Redis', async () => {
  const connection = await openOwn()
  return {
    open: (holder, clock) =>
      openRedisHostTurns({ connection, holder, clock, clockIsShared: true, loneNewsMs: 0 }),
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
})

const WANTED = { delayMs: 1000, perHost: 1, forMs: 30_000 }

test('the rules in Redis are those of host-line.ts', async () => {
  await using connection = await openOwn()
  const random = seededRandom(11)
  const clock = new ManualClock()
  const holders = ['crawl 1 a', 'crawl 1 b', 'crawl 2 c']
  const scripts = holders.map(
    (holder) => new LimiterScript({ connection, holder, clock, clockIsShared: true }),
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
    const run = async (...step: LimiterStep) => (await script.run('a.test', [step])).answers[0]
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

/** Counts the scripts that a connection runs. */
function counting(connection: RedisConnection): {
  connection: RedisConnection
  runs: () => number
} {
  let runs = 0
  const counted: RedisConnection = Object.create(connection, {
    call: { value: connection.call.bind(connection) },
    prefix: { value: connection.prefix },
    run: {
      value: (...args: Parameters<RedisConnection['run']>) => {
        runs++
        return connection.run(...args)
      },
    },
  })
  return { connection: counted, runs: () => runs }
}

test('a crawl that is alone at a host pays for one script per request', async () => {
  await using own = await openOwn()
  const { connection, runs } = counting(own)
  const options = { connection, holder: 'one', clock: systemClock, loneNewsMs: 60_000 }
  await using limiter = await openRedisHostTurns(options)
  for (let nth = 0; nth < 5; nth++) {
    const { turn } = await limiter.ask('a.test', { ...WANTED, delayMs: 0 })
    turn?.started()
    turn?.done()
  }
  assert.equal(runs(), 5)
})

test('times are the server’s, told by our clock', async () => {
  await using connection = await openOwn()
  const clock = new ManualClock(5_000_000)
  const options = { connection, clock, loneNewsMs: 0 }
  await using one = await openRedisHostTurns({ ...options, holder: 'one' })
  await using two = await openRedisHostTurns({ ...options, holder: 'two' })
  one.rest('a.test', 60_000, 'http-503')
  assert.ok((await one.ask('b.test', WANTED)).turn)
  const answer = await two.ask('a.test', WANTED)
  assert.ok(answer.turn === null)
  const waitMs = answer.askAgainAt - clock.now()
  assert.ok(waitMs > 0 && waitMs <= 60_000, `${waitMs}`)
})

test('a question whose answer got lost may be asked again', async () => {
  await using connection = await openOwn()
  const script = new LimiterScript({ connection, holder: 'one', clock: systemClock })
  const ask: LimiterStep = ['ask', 'turn 1', 0, '1 30000']
  for (let nth = 0; nth < 2; nth++) {
    assert.equal((await script.run('a.test', [ask])).answers[0]?.at, null)
  }
  await script.run('a.test', [['end', 'turn 1', 0, '']])
  const other = new LimiterScript({ connection, holder: 'two', clock: systemClock })
  assert.equal((await other.run('a.test', [ask])).answers[0]?.at, null)
})

test('questions are refused when it is closed, and no turn is left behind', async () => {
  await using connection = await openOwn()
  const clock = new ManualClock()
  const options = { connection, clock, clockIsShared: true }
  const limiter = await openRedisHostTurns({ ...options, holder: 'one' })
  assert.ok((await limiter.ask('a.test', WANTED)).turn)
  const pending = limiter.ask('b.test', WANTED)
  await Promise.all([
    assert.rejects(pending, { code: 'store-unreachable' }),
    limiter[Symbol.asyncDispose](),
  ])
  await assert.rejects(limiter.ask('a.test', WANTED), { code: 'store-unreachable' })
  await limiter[Symbol.asyncDispose]()
  assert.deepEqual(await keysOf(connection), [`{${connection.prefix}:turn:a.test}`])
  clock.advance(1000)
  await using others = await openRedisHostTurns({ ...options, holder: 'two' })
  assert.ok((await others.ask('a.test', WANTED)).turn)
})

test('a turn of one that died ends soon where turns are held on to, however long its request may take', async () => {
  await using connection = await openOwn()
  const clock = new ManualClock()
  const open = (holder: string) =>
    openRedisHostTurns({ connection, holder, clock, clockIsShared: true, holdMs: 100_000 })
  const wanted = { delayMs: 1000, perHost: 1, forMs: 10_000_000 }
  await using dead = await open('dead')
  await using next = await open('next')
  assert.ok((await dead.ask('a.test', wanted)).turn)
  clock.advance(100_000)
  assert.equal((await next.ask('a.test', wanted)).turn, null)
  clock.advance(6_000)
  assert.ok((await next.ask('a.test', wanted)).turn)
})

test('a turn that is held on to stays as long as that is said', async () => {
  await using connection = await openOwn()
  const clock = new ManualClock()
  const script = (holder: string) =>
    new LimiterScript({ connection, holder, clock, clockIsShared: true })
  const ask = async (holder: string) =>
    (await script(holder).run('a.test', [['ask', holder, 0, '1 1000']])).answers[0]?.at
  assert.equal(await ask('one'), null)
  clock.advance(1000)
  await script('one').run('a.test', [['hold', 'one', 20_000, '']])
  clock.advance(20_000)
  assert.notEqual(await ask('two'), null)
  clock.advance(6_000)
  assert.equal(await ask('two'), null)
})
