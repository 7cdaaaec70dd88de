import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRig } from '../../test/support/api-rig.ts'
import { CrawlerError, InvalidInput } from '../core/errors.ts'
import { answerTo, BadFields, Refusal } from './errors.ts'

const silent = (): void => assert.fail('nothing to log')

test('bad input is named field by field', () => {
  const problems = [
    { at: 'url', message: 'is none' },
    { at: 'delay', message: 'is too short' },
  ] as const
  const { status, body } = answerTo(new BadFields([...problems]), silent)
  assert.equal(status, 400)
  assert.deepEqual(body.error.problems, problems)
  assert.equal(body.error.message, 'url: is none (and 1 more)')
  assert.equal(answerTo(new InvalidInput('x', 'y'), silent).body.error.message, 'x: y')
})

test('a flood of problems is cut, and so are names without end', () => {
  const many = Array.from({ length: 5000 }, () => ({
    at: 'x'.repeat(5000),
    message: 'no'.repeat(5000),
  }))
  const [first, ...rest] = many
  const { body } = answerTo(new BadFields([first!, ...rest]), silent)
  assert.equal(body.error.problems?.length, 100)
  assert.ok(JSON.stringify(body).length < 150_000)
})

test('a refusal is reported as it is', () => {
  const { status, body, headers } = answerTo(
    new Refusal(429, 'wait', { headers: { 'retry-after': '3' } }),
    silent,
  )
  assert.equal(status, 429)
  assert.deepEqual(body, { error: { code: 'too-many', message: 'wait' } })
  assert.equal(headers['retry-after'], '3')
})

test('a broken world is reported without a path, and logged with it', () => {
  const logged: string[] = []
  const error = new CrawlerError('disk-full', 'no space left in /home/me/data')
  const { status, body } = answerTo(error, (text) => logged.push(text))
  assert.equal(status, 503)
  assert.equal(body.error.code, 'disk-full')
  assert.doesNotMatch(body.error.message, /home/)
  assert.match(logged[0] ?? '', /home/)
})

test('what nobody foresaw is an id here and the whole of it in the log', () => {
  for (const error of [
    new Error('secret'),
    'secret',
    null,
    { statusCode: 500, message: 'secret' },
  ]) {
    const logged: string[] = []
    const { status, body } = answerTo(error, (text) => logged.push(text))
    assert.equal(status, 500)
    assert.doesNotMatch(JSON.stringify(body), /secret/)
    assert.equal(logged.length, 1)
  }
})

const ASKED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/crawl?limit=1000&after=foo&x=1': {
    limit: 'needs at most 100',
    after: 'needs an id such as crawl_1',
    x: 'there is no such field',
  },
  '/crawl?limit=1.5': { limit: 'needs a whole number' },
  '/search?limit=0&hot=maybe': {
    q: 'is missing',
    limit: 'needs at least 1',
    hot: 'is true or false',
  },
  '/events?after=x': { after: 'needs an id such as 12.345' },
}

test('what a schema finds is said in plain words', async () => {
  await using rig = await openRig()
  for (const [path, expected] of Object.entries(ASKED)) {
    const answer = await fetch(`${rig.url}${path}`)
    assert.equal(answer.status, 400, path)
    const { error } = (await answer.json()) as { error: { problems: Record<string, string>[] } }
    const said = Object.fromEntries(error.problems.map(({ at, message }) => [at, message]))
    assert.deepEqual(said, expected, path)
  }
})
