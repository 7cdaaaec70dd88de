import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { ORDERINGS } from '../ordering/index.ts'
import { parseCrawl } from './crawl/crawl.ts'
import type { CrawlOptions } from './crawl/run-crawl.ts'
import { exitCodeOf } from './exit-codes.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-focus-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

function parse(...words: readonly string[]): Promise<CrawlOptions> {
  const readStdin = async () => ''
  const around = { cwd, env: {}, cores: 2, readStdin, checkTopic: () => {} }
  return parseCrawl(['a.localhost', ...words], around)
}

async function problemsOf(...words: readonly string[]): Promise<BadOptions> {
  try {
    await parse(...words)
  } catch (error) {
    if (error instanceof BadOptions) return error
    throw error
  }
  return assert.fail('it was accepted')
}

const focused = ORDERINGS.filter((ordering) => ordering.focused === true)

test('a focused ordering asks for a topic, naming the flags that give one', async () => {
  for (const { name } of focused) {
    const { message } = await problemsOf('--ordering', name)
    assert.equal(
      message,
      `--ordering: ${name} needs to know what the crawl is about: ` +
        'give --topic, --keywords, --topic-model, --examples or --classifier',
    )
    assert.equal((await parse('--ordering', name, '--topic', 'solar')).settings.topic, 'solar')
  }
})

test('hosts go by their best URL where the ordering is focused, unless said otherwise', async () => {
  for (const { name, focused = false } of ORDERINGS) {
    const flags = ['--ordering', name, '--topic', 'solar']
    assert.equal((await parse(...flags)).settings.hostPolicy, focused ? 'best' : 'fair')
    const fair = await parse(...flags, '--host-policy', 'fair')
    assert.equal(fair.settings.hostPolicy, 'fair')
  }
})

const NEEDS_TOPIC: readonly (readonly string[])[] = [
  ['--min-relevance', '0.5'],
  ['--harvest-floor', '5'],
  ['--harvest-window', '100'],
  ['--max-hot', '10'],
  ['--hot-threshold', '0.7'],
  ['--importance', 'similarity,pagerank'],
]

test('what only a topic gives a meaning is refused without one', async () => {
  for (const flags of NEEDS_TOPIC) {
    const { message } = await problemsOf(...flags)
    assert.match(message, new RegExp(`^${flags[0]}: needs a topic.*: give --topic, --keywords`))
    await parse(...flags, '--keywords', 'solar')
  }
})

test('where hot is a matter of importance, no topic is needed', async () => {
  const flags = ['--importance', 'pagerank', '--max-hot', '10', '--hot-threshold', '0.7']
  assert.equal((await parse(...flags)).settings.maxHot, 10)
  assert.equal((await parse('--min-terms', '50')).settings.minTerms, 50)
})

test('--eager is refused where there is no waiting to turn off', async () => {
  const topic = ['--topic', 'solar', '--eager']
  assert.match((await problemsOf(...topic)).message, /^--eager: does nothing with breadth-first/)
  const fair = await problemsOf(...topic, '--ordering', 'adaptive', '--host-policy', 'fair')
  assert.match(fair.message, /^--eager: does nothing with --host-policy fair: only best waits/)
  for (const { name } of focused) {
    assert.ok((await parse(...topic, '--ordering', name)).settings.eager)
    await parse(...topic, '--ordering', name, '--host-policy', 'best')
  }
})

test('a topic under an ordering that does not look for it gets a word on the one that does', async () => {
  for (const { name } of ORDERINGS) {
    const { warnings } = await parse('--ordering', name, '--keywords', 'solar')
    const isFocused = focused.some((ordering) => ordering.name === name)
    assert.deepEqual(
      warnings,
      isFocused
        ? []
        : [
            `${name} judges pages by the topic, but does not look for more of them: ` +
              '--ordering adaptive does.',
          ],
    )
  }
  assert.deepEqual((await parse()).warnings, [])
})

test('a topic that looks like a file gets a word on what takes files', async () => {
  const warned = async (topic: string) =>
    (await parse('--ordering', 'adaptive', '--topic', topic)).warnings
  for (const file of ['nofile.txt', '@nofile.txt', '@words', './words', '/tmp/words', 'A.JSON']) {
    assert.match((await warned(file)).join(), /^--topic takes words; ".*" looks like a file: --exa/)
  }
  for (const topic of ['solar', 'read nofile.txt', 'asp.net', 'solar / wind', '@ home']) {
    assert.deepEqual(await warned(topic), [])
  }
})

test('a model excludes examples and keywords', async () => {
  writeFileSync(join(cwd, 'm.json'), '{}')
  writeFileSync(join(cwd, 'e.txt'), 'some text')
  const flags = ['--classifier', 'm.json', '--examples', 'e.txt', '--keywords', 'a']
  const { problems } = await problemsOf(...flags)
  assert.deepEqual(
    problems.map(({ at }) => at),
    ['--classifier', '--keywords'],
  )
})

test('an option of an ordering is checked against what the ordering declares', async () => {
  for (const { name, options = [], rules } of ORDERINGS) {
    const flags = ['--ordering', name, '--topic', 'solar', '--ordering-option']
    if (rules !== undefined) {
      await parse(...flags, `colour=${rules.max}`)
      continue
    }
    const { message } = await problemsOf(...flags, 'colour=1')
    assert.match(message, new RegExp(`^--ordering-option: ${name} has no option "colour"`))
    for (const option of options) {
      assert.ok(message.includes(option.name), `${name} names ${option.name}`)
      await parse(...flags, `${option.name}=${option.max}`)
      const high = await problemsOf(...flags, `${option.name}=${option.max + 1}`)
      assert.match(high.message, new RegExp(`from ${option.min} to ${option.max}`))
    }
  }
})

test('of an ordering that is not known nothing but that is said', async () => {
  const { problems } = await problemsOf('--ordering', 'x', '--ordering-option', 'a=1', '--eager')
  assert.deepEqual(
    problems.map(({ at }) => at),
    ['--ordering'],
  )
})

test('files that cannot be read, or hold nothing to learn from, are named', async () => {
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'empty.txt'), '# nothing\n')
  const cases: [flags: string[], says: RegExp][] = [
    [['--examples', 'none.txt'], /^--examples: none.txt does not exist$/],
    [['--classifier', 'none.json'], /^--classifier: none.json does not exist$/],
    [['--examples', 'folder'], /^--examples: folder is a folder/],
    [['--examples', 'empty.txt'], /^--examples: empty.txt has no example/],
  ]
  for (const [flags, says] of cases) assert.match((await problemsOf(...flags)).message, says)
})

test('all that does not fit is said at once, together with what is wrong otherwise', async () => {
  const { problems } = await problemsOf('--delay', 'x', '--max-hot', '5', '--harvest-floor', '200')
  assert.deepEqual(problems.map(({ at }) => at).sort(), ['--delay', '--harvest-floor', '--max-hot'])
})

test('what the config file says is answered as configuration', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{"max_hot": 5}')
  const problems = await problemsOf()
  assert.match(problems.message, /^jelajah.config.json: max_hot: needs a topic/)
  assert.equal(exitCodeOf(problems), 4)
})

test('the same words and files give the same key, other ones another', async () => {
  writeFileSync(join(cwd, 'e.txt'), 'one text')
  const key = async (...words: string[]) => (await parse(...words)).topic?.key
  const flags = ['--topic', 'solar', '--keywords', 'a,b', '--examples', 'e.txt']
  const first = await key(...flags)
  assert.equal(await key(...flags), first)
  assert.notEqual(await key('--topic', 'solar a b', '--examples', 'e.txt'), first)
  writeFileSync(join(cwd, 'e.txt'), 'another text')
  assert.notEqual(await key(...flags), first)
})
