// The supervisor with children that are no processes: they use the real socket, and do what the test says.
// The test controls timers and clock.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sampleJob } from '../../test/contract/sample-page.ts'
import { NO_COUNTS } from '../core/host.ts'
import type { CrawlSettings } from '../core/job.ts'
import { ManualClock } from '../lib/clock.ts'
import { type Connection, connectTo, FRAME_TYPES } from '../wire/connection.ts'
import { decodeControl, encodeControl, type FromChild, type ToChild } from '../wire/control.ts'
import type { ChildExit, ChildHandle, Role } from './child-process.ts'
import { NO_PROGRESS } from './progress.ts'
import { Supervisor, type SupervisorOptions } from './supervisor.ts'

let lastPid = 0

class FakeChild implements ChildHandle {
  readonly pid = ++lastPid
  readonly role: Role
  readonly heard: ToChild[] = []
  isKilled = false
  readonly #exit = Promise.withResolvers<ChildExit>()
  readonly exited = this.#exit.promise
  #connection: Connection | null = null

  constructor(role: Role) {
    this.role = role
  }

  async connect(socket: string): Promise<void> {
    this.#connection = await connectTo(socket, {
      onFrame: (_type, payload) => this.heard.push(decodeControl<ToChild>(payload)),
      onClose: () => {},
    })
    this.say({ type: 'hello', role: this.role, pid: this.pid })
    this.say({ type: 'up', role: this.role })
  }

  say(message: FromChild): void {
    this.#connection?.send(FRAME_TYPES.control, encodeControl(message))
  }

  exit(exit: Partial<ChildExit>): void {
    this.#connection?.destroy()
    this.#exit.resolve({ code: null, signal: null, ...exit })
  }

  kill(): void {
    this.isKilled = true
    this.exit({ signal: 'SIGKILL' })
  }

  types(): string[] {
    return this.heard.map(({ type }) => type)
  }
}

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    assert.ok(turns < 10_000, 'it never happens')
    await turn()
  }
}

function open(
  t: TestContext,
  { settings = {}, ...options }: Partial<SupervisorOptions> & { settings?: Partial<CrawlSettings> },
) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const clock = new ManualClock(0)
  const children: FakeChild[] = []
  const notices: string[] = []
  const sample = sampleJob()
  const job = { id: 1, salt: 1, ...sample, settings: { ...sample.settings, ...settings } }
  const supervisor = new Supervisor({
    ...{ job, clock, durationMs: null, known: NO_PROGRESS, hotBefore: 0 },
    ...{
      workspace: { data: '/nowhere', frontier: null },
      entries: { scouter: 'scouter', parser: 'parser' },
    },
    onProgress: () => {},
    onNotice: (text) => notices.push(text),
    spawn: (entry, socket) => {
      const child = new FakeChild(entry === 'scouter' ? 'scouter' : 'parser')
      children.push(child)
      void child.connect(socket)
      return child
    },
    ...options,
  })
  const of = (role: Role): FakeChild => children.findLast((child) => child.role === role)!
  const running = supervisor.run()
  running.catch(() => {})
  return {
    ...{ supervisor, running, children, notices, of },
    /** Both children have received their assignment. */
    started: () => until(() => children.filter(({ heard }) => heard.length > 0).length >= 2),
    pass(ms: number): void {
      clock.advance(ms)
      t.mock.timers.tick(ms)
    },
    async [Symbol.asyncDispose](): Promise<void> {
      for (const child of children) child.exit({ code: 0 })
      await supervisor[Symbol.asyncDispose]()
    },
  }
}

type Beat<R extends Role> = Extract<FromChild, { type: 'beat'; role: R }>

const BEAT: Beat<'parser'> = {
  ...{ type: 'beat', role: 'parser', pid: 1, rssBytes: 1, cpuMs: 1, stored: 0, saved: 0 },
  ...{ duplicates: 0, waiting: 0, judged: 0, hot: 0, recentJudged: 0, recentHot: 0, leftOut: 0 },
}

test('both children are started and hear what to work on', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  assert.deepEqual(rig.children.map(({ role }) => role).sort(), ['parser', 'scouter'])
  const [start] = rig.of('scouter').heard
  assert.ok(start?.type === 'start' && start.pagesSocket.endsWith('pages.sock'))
})

test('the crawl ends as the scouter says, after the parser has stored what it has', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  rig.of('scouter').say({ type: 'finished', why: 'empty' })
  await until(() => rig.of('parser').types().includes('drain'))
  for (const child of rig.children) child.exit({ code: 0 })
  assert.equal(await rig.running, 'empty')
})

test('a parser that dies is started again, and the scouter hears how it died', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  rig.of('parser').exit({ signal: 'SIGKILL' })
  await until(() => rig.children.length === 3)
  assert.equal(rig.children[2]?.role, 'parser')
  await until(() => rig.of('scouter').heard.length > 1)
  assert.deepEqual(rig.of('scouter').heard[1], { type: 'parser-died', killed: true })
  assert.deepEqual(rig.notices, ['the parser died (SIGKILL) and is started again'])
  assert.equal(rig.supervisor.progress.restarts, 1)
})

test('a child that dies again and again without a new page ends the crawl', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  for (let deaths = 1; deaths < 8; deaths++) {
    const started = rig.children.length
    rig.of('parser').exit({ code: 1 })
    await until(() => rig.children.length > started)
  }
  rig.of('parser').exit({ code: 1 })
  await assert.rejects(rig.running, { code: 'process-died' })
})

test('deaths with pages in between end nothing', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  for (let deaths = 1; deaths < 20; deaths++) {
    const started = rig.children.length
    const parser = rig.of('parser')
    await until(() => parser.heard.length > 0)
    parser.say({ ...BEAT, stored: deaths })
    await until(() => rig.supervisor.progress.stored === deaths)
    parser.exit({ code: 1 })
    await until(() => rig.children.length > started)
  }
  assert.equal(rig.supervisor.progress.restarts, 19)
})

test('a child without a sign of life is killed and started again', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  const scouter = rig.of('scouter')
  for (let at = 0; at < 40; at++) {
    rig.of('parser').say({ ...BEAT, pid: at })
    await until(() => rig.supervisor.progress.parserPid === at)
    rig.pass(1000)
  }
  assert.equal(scouter.isKilled, true)
  assert.equal(rig.of('parser').isKilled, false)
  await until(() => rig.of('scouter') !== scouter)
})

test('a scouter that is started again hears once more that the crawl is to end', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  rig.supervisor.drain('stopped')
  await until(() => rig.of('scouter').types().includes('drain'))
  rig.of('scouter').exit({ code: 1 })
  await until(() => rig.children.length === 3)
  await until(() => rig.of('scouter').types().includes('drain'))
  rig.of('scouter').say({ type: 'finished', why: 'drained' })
  await until(() => rig.of('parser').types().includes('drain'))
  for (const child of rig.children) child.exit({ code: 0 })
  assert.equal(await rig.running, 'stopped')
})

test('children that do not leave in time are killed', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  rig.supervisor.drain('interrupted')
  rig.pass(7000)
  assert.equal(await rig.running, 'interrupted')
  assert.ok(rig.children.every(({ isKilled }) => isKilled))
})

test('when its time is up the crawl drains', async (t) => {
  await using rig = open(t, { durationMs: 60_000 })
  await rig.started()
  for (let at = 0; at < 3; at++) {
    for (const [n, child] of rig.children.entries()) child.say({ ...BEAT, pid: 10 * at + n })
    await until(() => rig.supervisor.progress.parserPid === 10 * at + 1)
    assert.deepEqual(rig.of('scouter').types(), ['start'])
    rig.pass(20_000)
  }
  await until(() => rig.of('scouter').types().includes('drain'))
})

test('the crawl has enough when it has its hot pages, those of earlier runs included', async (t) => {
  await using rig = open(t, { settings: { maxHot: 5 }, hotBefore: 3 })
  await rig.started()
  rig.of('parser').say({ ...BEAT, judged: 9, hot: 1, saved: 1 })
  await until(() => rig.supervisor.progress.saved === 1)
  assert.deepEqual(rig.of('scouter').types(), ['start'])
  rig.of('parser').say({ ...BEAT, judged: 9, hot: 2, saved: 2 })
  await until(() => rig.of('scouter').types().includes('drain'))
})

test('a child that cannot go on ends the crawl with its reason', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  rig.of('parser').say({ type: 'fatal', code: 'disk-full', message: 'no space' })
  await assert.rejects(rig.running, { code: 'disk-full', message: 'no space' })
})

test('a notice is shown once, and so is a network that is away', async (t) => {
  await using rig = open(t, {})
  await rig.started()
  const scouter = rig.of('scouter')
  for (const _ of [1, 2]) scouter.say({ type: 'notice', text: 'few files' })
  const beat: Beat<'scouter'> = {
    ...{ type: 'beat', role: 'scouter', pid: 1, rssBytes: 1, cpuMs: 1, counts: NO_COUNTS },
    ...{ hosts: [], fairness: 1, inFlight: 0, bytes: 0 },
  }
  for (const awayMs of [1, 2]) scouter.say({ ...beat, awayMs })
  scouter.say(beat)
  await until(() => rig.notices.length === 3)
  assert.match(rig.notices.join('\n'), /^few files\nthe network seems.*\nthe network is back$/)
})
