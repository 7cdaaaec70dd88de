import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRobotsMeta, type RobotsDirectives, readRobotsDirectives } from './robots-directives.ts'

const NOTHING: RobotsDirectives = {
  noindex: false,
  nofollow: false,
  noarchive: false,
  nosnippet: false,
  noimageindex: false,
  unavailableAfter: null,
}
const NONE = { noindex: true, nofollow: true }

test('a meta tag says what the page wishes', () => {
  const cases: readonly (readonly [string, Partial<RobotsDirectives>])[] = [
    ['', {}],
    ['all', {}],
    ['index, follow', {}],
    ['NOINDEX', { noindex: true }],
    ['none', NONE],
    [' noindex ,nofollow ', NONE],
    ['noindex nofollow', NONE],
    ['noindex;nofollow', NONE],
    ['nofollow, follow', { nofollow: true }],
    ['noarchive', { noarchive: true }],
    ['nocache', { noarchive: true }],
    ['nosnippet, noimageindex', { nosnippet: true, noimageindex: true }],
    ['max-snippet:0', { nosnippet: true }],
    ['max-snippet: -1, max-image-preview:large', {}],
    ['noindexed, constructor, __proto__', {}],
    ['unavailable_after: 2030-01-01T00:00:00Z', { unavailableAfter: Date.UTC(2030, 0, 1) }],
    [
      'noindex, unavailable_after: Tue, 01 Jan 2030 00:00:00 GMT, nofollow',
      { ...NONE, unavailableAfter: Date.UTC(2030, 0, 1) },
    ],
    ['unavailable_after: some day', {}],
  ]
  for (const [content, wished] of cases) {
    const got = readRobotsDirectives([{ name: 'robots', content }], [])
    assert.deepEqual(got, { ...NOTHING, ...wished }, content)
  }
})

test('a header may address one crawler, and only ours counts', () => {
  const cases: readonly (readonly [readonly string[], Partial<RobotsDirectives>])[] = [
    [[], {}],
    [['noindex, nofollow'], NONE],
    [['noindex', 'nofollow'], NONE],
    [['googlebot: noindex'], {}],
    [['Jelajah: none'], NONE],
    [['jelajah : none'], NONE],
    [['googlebot: noindex, nofollow'], {}],
    [['googlebot: noindex, jelajah: nofollow, noarchive'], { nofollow: true, noarchive: true }],
    [['noindex, googlebot: nofollow'], { noindex: true }],
    [['robots: noindex'], { noindex: true }],
    [['googlebot: unavailable_after: 2030-01-01'], {}],
    [
      ['unavailable_after: Tuesday, 01-Jan-30 00:00:00 GMT, noindex'],
      { noindex: true, unavailableAfter: Date.UTC(2030, 0, 1) },
    ],
    [
      ['jelajah: unavailable_after: 1 Jan 2030 00:00:00 GMT'],
      { unavailableAfter: Date.UTC(2030, 0, 1) },
    ],
  ]
  for (const [headers, wished] of cases) {
    assert.deepEqual(readRobotsDirectives([], headers), { ...NOTHING, ...wished }, headers.join())
  }
})

test('wishes of all tags and headers add up, and the earliest end counts', () => {
  const tags = [
    { name: 'Robots', content: 'noindex, unavailable_after: 2031-01-01' },
    { name: 'JELAJAH', content: 'nosnippet' },
    { name: 'googlebot', content: 'nofollow' },
  ]
  const got = readRobotsDirectives(tags, ['noarchive', 'unavailable_after: 2030-01-01'])
  const unavailableAfter = Date.UTC(2030, 0, 1)
  const wished = { noindex: true, nosnippet: true, noarchive: true, unavailableAfter }
  assert.deepEqual(got, { ...NOTHING, ...wished })
})

test('a meta tag speaks to us by the common name or by ours', () => {
  assert.deepEqual(
    ['robots', ' ROBOTS ', 'Jelajah', 'googlebot', 'description', ''].map(isRobotsMeta),
    [true, true, true, false, false, false],
  )
})
