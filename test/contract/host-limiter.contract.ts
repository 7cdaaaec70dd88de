// What slots at hosts promise, whoever keeps them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { ManualClock } from '../../src/lib/clock.ts'
import type {
  HostLimiter,
  RequestSlot,
  SlotAnswer,
  SlotWanted,
} from '../../src/scouter/host-limiter.ts'

export interface LimiterFixture extends AsyncDisposable {
  open(holder: string, clock: ManualClock): Promise<HostLimiter>
  /** An answer of a server is waited for: no time passes meanwhile. */
  isBusy?(): boolean
}

const SECOND: SlotWanted = { delayMs: 1000, perHost: 1, forMs: 30_000 }

class Rig {
  readonly clock = new ManualClock()
  readonly #began = this.clock.now()
  readonly #fixture: LimiterFixture
  readonly #open = new Set<HostLimiter>()

  constructor(fixture: LimiterFixture) {
    this.#fixture = fixture
  }

  get passedMs(): number {
    return this.clock.now() - this.#began
  }

  async crawl(holder: string): Promise<HostLimiter> {
    const limiter = await this.#fixture.open(holder, this.clock)
    this.#open.add(limiter)
    return limiter
  }

  /** The answer; a wait that is passed inside lets the clock run. */
  async ask(
    limiter: HostLimiter,
    host: string,
    wanted: Partial<SlotWanted> = {},
  ): Promise<SlotAnswer> {
    let answered = false
    const answer = limiter.ask(host, { ...SECOND, ...wanted }).finally(() => {
      answered = true
    })
    for (let looks = 0; !answered; ) {
      await pause(1)
      if (this.#fixture.isBusy?.()) continue
      if (++looks > 20) this.clock.advance(1)
    }
    return answer
  }

  async slot(
    limiter: HostLimiter,
    host: string,
    wanted: Partial<SlotWanted> = {},
  ): Promise<RequestSlot> {
    const answer = await this.ask(limiter, host, wanted)
    return answer.slot ?? assert.fail(`no turn at ${this.passedMs}: ${JSON.stringify(answer)}`)
  }

  /** When it was told to ask again, in milliseconds since the test began. */
  async refusal(
    limiter: HostLimiter,
    host: string,
    wanted: Partial<SlotWanted> = {},
  ): Promise<{ readonly at: number; readonly trouble: string }> {
    const answer = await this.ask(limiter, host, wanted)
    if (answer.slot !== null) assert.fail(`a turn at ${this.passedMs}`)
    return { at: answer.askAgainAt - this.#began, trouble: answer.trouble }
  }

  /** Makes sure that others know what was told: news go along with a question. */
  async told(limiter: HostLimiter): Promise<void> {
    const { slot } = await this.ask(limiter, 'elsewhere.test', { delayMs: 0, perHost: 1000 })
    slot?.done()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const limiter of this.#open) await limiter[Symbol.asyncDispose]()
    await this.#fixture[Symbol.asyncDispose]()
  }
}

export function hostLimiterContract(
  name: string,
  openFixture: () => Promise<LimiterFixture>,
): void {
  const promise = (title: string, body: (rig: Rig) => Promise<void>) =>
    test(`${name}: ${title}`, async () => {
      await using rig = new Rig(await openFixture())
      await body(rig)
    })

  promise('a crawl alone never waits', async (rig) => {
    const alone = await rig.crawl('one')
    for (let nth = 0; nth < 5; nth++) {
      const slot = await rig.slot(alone, 'a.test')
      slot.requestSent()
      rig.clock.advance(1000)
      slot.done()
    }
    assert.equal(rig.passedMs, 5000)
  })

  promise('a request keeps its delay to that of another crawl', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const slot = await rig.slot(one, 'a.test')
    slot.requestSent()
    slot.done()
    await rig.told(one)
    assert.deepEqual(await rig.refusal(two, 'a.test'), { at: 1000, trouble: '' })
    await rig.slot(two, 'b.test')
    rig.clock.advance(1000)
    await rig.slot(two, 'a.test')
  })

  promise('the delay runs from the moment the other request goes out', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const slow = await rig.slot(one, 'a.test')
    rig.clock.advance(1700)
    assert.equal((await rig.refusal(two, 'a.test')).at, 2700)
    rig.clock.advance(300)
    slow.requestSent()
    slow.done()
    await rig.told(one)
    assert.equal((await rig.refusal(two, 'a.test')).at, 3000)
  })

  promise('nobody overtakes who keeps a delay and is still connecting', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const slow = await rig.slot(one, 'a.test', { perHost: 4 })
    const hasty = { delayMs: 0, perHost: 4 }
    assert.equal((await rig.ask(two, 'a.test', hasty)).slot, null)
    slow.requestSent()
    await rig.told(one)
    await rig.slot(two, 'a.test', hasty)
  })

  promise('a turn that was not used gives its time back', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const unused = await rig.slot(one, 'a.test')
    unused.done()
    unused.requestSent()
    await rig.told(one)
    assert.notEqual((await rig.ask(two, 'a.test')).slot, null)
  })

  promise('requests of others that are under way count', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const first = await rig.slot(one, 'a.test', { delayMs: 0, perHost: 2 })
    first.requestSent()
    await rig.told(one)
    assert.equal((await rig.ask(two, 'a.test', { delayMs: 0 })).slot, null)
    first.done()
    first.done()
    await rig.told(one)
    await rig.slot(two, 'a.test', { delayMs: 0 })
  })

  promise('crawls with different delays take turns, each keeping its own', async (rig) => {
    const crawls = [
      { limiter: await rig.crawl('hasty'), delayMs: 100, next: 0, starts: 0 },
      { limiter: await rig.crawl('slow'), delayMs: 1000, next: 0, starts: 0 },
    ]
    let last = Number.NEGATIVE_INFINITY
    while (rig.passedMs < 12_000) {
      for (const crawl of crawls) {
        const { limiter, delayMs } = crawl
        if (crawl.next > rig.clock.now()) continue
        const answer = await rig.ask(limiter, 'a.test', { delayMs })
        const now = rig.clock.now()
        if (answer.slot === null) {
          crawl.next = answer.askAgainAt
          continue
        }
        answer.slot.requestSent()
        answer.slot.done()
        await rig.told(limiter)
        assert.ok(now - last >= delayMs, `${now - last} ms after the last`)
        last = now
        crawl.next = now + delayMs
        crawl.starts++
      }
      rig.clock.advance(20)
    }
    // One second for the slow one alone, then the other has one.
    const [hasty, slow] = crawls.map(({ starts }) => starts)
    assert.ok(slow! >= 5, `${slow} turns of the slow one`)
    assert.ok(hasty! >= 40, `${hasty} turns of the hasty one`)
  })

  promise('a place in line that nobody comes for is given up', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const slot = await rig.slot(one, 'a.test', { delayMs: 10 })
    slot.requestSent()
    slot.done()
    await rig.told(one)
    assert.equal((await rig.refusal(two, 'a.test')).at, 1000)
    rig.clock.advance(500)
    assert.equal((await rig.ask(one, 'a.test', { delayMs: 10 })).slot, null)
    rig.clock.advance(10_000)
    await rig.slot(one, 'a.test', { delayMs: 10 })
  })

  promise('a host that wants rest is left alone by all, and they hear why', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    one.rest('a.test', 60_000, 'http-503')
    await rig.told(one)
    const refusal = { at: 60_000, trouble: 'http-503' }
    assert.deepEqual(await rig.refusal(two, 'a.test'), refusal)
    // A shorter rest does not cut the longer one off.
    two.rest('a.test', 1000, 'http-429')
    await rig.told(two)
    assert.deepEqual(await rig.refusal(two, 'a.test'), refusal)
    rig.clock.advance(60_000)
    await rig.slot(two, 'a.test')
  })

  promise('no host rests longer than a day', async (rig) => {
    const one = await rig.crawl('one')
    one.rest('a.test', Number.MAX_SAFE_INTEGER / 2, 'http-503')
    await rig.told(one)
    assert.equal((await rig.refusal(one, 'a.test')).at, 24 * 60 * 60 * 1000)
  })

  promise('a clock that was set back makes nobody wait longer than the delay', async (rig) => {
    const [one, two] = [await rig.crawl('one'), await rig.crawl('two')]
    const slot = await rig.slot(one, 'a.test')
    slot.requestSent()
    slot.done()
    await rig.told(one)
    rig.clock.advance(-3_600_000)
    assert.equal((await rig.refusal(two, 'a.test')).at, 1000 - 3_600_000)
  })

  promise('a crawl that died holds nobody up for long', async (rig) => {
    const two = await rig.crawl('two')
    // Both are never given back.
    await rig.slot(await rig.crawl('died connecting'), 'a.test')
    const loading = await rig.crawl('died loading')
    const slot = await rig.slot(loading, 'b.test')
    slot.requestSent()
    await rig.told(loading)
    rig.clock.advance(30_000)
    for (const host of ['a.test', 'b.test']) {
      assert.equal((await rig.ask(two, host)).slot, null, host)
    }
    rig.clock.advance(10_000)
    for (const host of ['a.test', 'b.test']) await rig.slot(two, host)
  })

  promise('a crawl that starts again is rid of what it left behind when it died', async (rig) => {
    const two = await rig.crawl('two')
    await rig.slot(await rig.crawl('one'), 'a.test')
    rig.clock.advance(5000)
    await rig.crawl('one')
    // Its request may have gone out just before it died.
    assert.equal((await rig.refusal(two, 'a.test')).at, 6000)
    rig.clock.advance(1000)
    await rig.slot(two, 'a.test')
  })

  promise('what the last crawl did counts for the next one', async (rig) => {
    {
      await using gone = await rig.crawl('gone')
      const slot = await rig.slot(gone, 'a.test')
      slot.requestSent()
      await rig.told(gone)
      rig.clock.advance(300)
    }
    assert.equal((await rig.refusal(await rig.crawl('next'), 'a.test')).at, 1000)
  })
}
