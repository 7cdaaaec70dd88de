import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BadOptions } from '../../options/bad-options.ts'
import { parseSimulate } from './simulate.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-simulate-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'topics.json'), '[]')
writeFileSync(join(folder, 'seeds.txt'), '# mine\nhttp://b.test/\n')
writeFileSync(join(folder, 'bad-seeds.txt'), 'http://b.test/\nnot a url\n')

function parse(line: string) {
  const argv = line === '' ? [] : line.split(' ')
  return parseSimulate(argv, { cwd: folder, env: {}, cores: 2 })
}

async function problemsOf(line: string): Promise<string> {
  const error: unknown = await parse(line).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof BadOptions, line)
  return error.message
}

test('without flags all orderings are compared over a fifth of the newest crawl', async () => {
  const options = await parse('')
  assert.equal(options.dataDir, join(folder, 'jelajah-data'))
  assert.ok(options.orderings.some(({ name }) => name === 'breadth-first'))
  assert.deepEqual(
    [options.orderingsNamed, options.hostPolicies, options.budget, options.randomSeeds],
    [false, ['best'], { share: 0.2 }, [1]],
  )
  assert.deepEqual([options.concurrency, options.perHost, options.delayMs], [1, 1, 0])
})

test('stop words of the user are those of the one topic, or of all topics of a file', async () => {
  writeFileSync(join(folder, 'stop.txt'), 'gratis\n')
  const one = await parse('--topic tea --stop-words stop.txt')
  assert.deepEqual([one.topic?.stopWords, one.stopWords], [['gratis'], []])
  const many = await parse('--topics topics.json --stop-words stop.txt')
  assert.deepEqual([many.topic, many.stopWords], [null, ['gratis']])
})

test('orderings are named once each, in the order given', async () => {
  const { orderings, orderingsNamed } = await parse(
    '--orderings depth-first,breadth-first,depth-first',
  )
  assert.deepEqual(
    orderings.map(({ name }) => name),
    ['depth-first', 'breadth-first'],
  )
  assert.equal(orderingsNamed, true)
  assert.equal((await parse('--orderings all')).orderingsNamed, false)
})

test('a budget is a share or a number of pages', async () => {
  assert.deepEqual((await parse('--budget 2.5%')).budget, { share: 0.025 })
  assert.deepEqual((await parse('--budget 100%')).budget, { share: 1 })
  assert.deepEqual((await parse('--budget 500')).budget, { pages: 500 })
})

test('repeats are the seeds that follow the first', async () => {
  assert.deepEqual((await parse('--seed 7 --repeat 3')).randomSeeds, [7, 8, 9])
})

test('seeds come from flags and from a file', async () => {
  const { seeds } = await parse('--seeds http://a.test/x --seeds a.test --seed-file seeds.txt')
  assert.deepEqual(seeds, ['http://a.test/x', 'https://a.test/', 'http://b.test/'])
})

test('the command line is kept without passwords', async () => {
  const words = ['--data=postgres://ana:rahasia@db/x', '--frontier', 'redis://:rahasia@cache']
  const { command } = await parseSimulate(words, { cwd: folder, env: {}, cores: 2 })
  assert.equal(
    command,
    "jelajah simulate '--data=postgres://ana:***@db/x' --frontier 'redis://:***@cache'",
  )
})

test('the command line is kept as a shell takes it', async () => {
  const argv = ['--topic', "tea's best", '--out', 'r']
  const options = await parseSimulate(argv, { cwd: folder, env: {}, cores: 2 })
  assert.equal(options.command, `jelajah simulate --topic 'tea'\\''s best' --out r`)
  assert.equal(options.out, join(folder, 'r'))
  assert.equal(options.topic?.words, "tea's best")
})

const WRONG: readonly (readonly [line: string, says: RegExp])[] = [
  ['--orderings nonsense', /--orderings: there is no ordering "nonsense"; choose one of: breadth/],
  [
    '--orderings ./mine.ts',
    /--orderings: "\.\/mine\.ts" is a file: a replay runs the orderings of/,
  ],
  ['--orderings breadth-first:x=1', /--orderings: breadth-first has no option "x"/],
  [
    '--orderings breadth-first:x',
    /needs a preset, or options as NAME=VALUE, behind a colon, not "x"/,
  ],
  ['--orderings ,', /--orderings: needs names of orderings/],
  ['--host-policy best,worst', /--host-policy: needs any of fair, largest, best, not "worst"/],
  ['--budget 0', /--budget: needs a share such as 20% or a number/],
  ['--budget 101%', /--budget: needs a share/],
  ['--budget half', /--budget: needs a share/],
  ['--concurrency 0', /--concurrency: needs a whole number/],
  ['--language fr', /--language: needs one of en, id/],
  ['--topics nowhere.json', /--topics: nowhere.json does not exist/],
  ['--truth nowhere.jsonl', /--truth: nowhere.jsonl does not exist/],
  ['--seed-file nowhere.txt', /--seed-file: nowhere.txt does not exist/],
  ['--seed-file bad-seeds.txt', /bad-seeds.txt line 2: "not a url" is not an http/],
  ['--stop-words topics.json', /--stop-words: needs a topic, --topics or --demo/],
  ['--topics topics.json --topic tea', /--topic: cannot be used with --topics/],
  ['--demo --data x', /--data: cannot be used with --demo/],
  ['--force', /--force: is for --out only/],
  ['http://a.test/', /is one word too many; give URLs to start from with --seeds/],
  ['--data seeds.txt', /--data: .* is a file, not a folder/],
]

test('what is wrong is said by flag', async () => {
  for (const [line, says] of WRONG) assert.match(await problemsOf(line), says, line)
})

test('everything that is wrong is said at once', async () => {
  const said = await problemsOf('--budget 0 --seed x --truth nowhere')
  assert.equal(said.split('\n').length, 3)
})
