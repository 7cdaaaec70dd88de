import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatCount, formatDuration, formatRate, formatShare } from './format.ts'
import { language } from './i18n/i18n.ts'

test('figures are written as the language does', () => {
  language.value = 'en'
  assert.equal(formatCount(1234567), '1,234,567')
  assert.equal(formatRate(0.256), '0.26')
  assert.equal(formatRate(123.4), '123')
  assert.equal(formatShare(0.5), '50%')
  language.value = 'id'
  assert.equal(formatCount(1234567), '1.234.567')
  assert.equal(formatRate(12.34), '12,3')
  language.value = 'en'
})

test('a size has the unit it is best read in', () => {
  const cases: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [999_600, '1 MB'],
    [1_500_000, '1.5 MB'],
    [2.5e15, '2,500 TB'],
    [-1, '0 B'],
  ]
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text)
})

test('a duration has its two largest units', () => {
  const cases: [number, string][] = [
    [0, '0s'],
    [12_400, '12s'],
    [60_000, '1m'],
    [185_000, '3m 5s'],
    [8_040_000, '2h 14m'],
    [273_600_000, '3d 4h'],
    [-5, '0s'],
  ]
  for (const [ms, text] of cases) assert.equal(formatDuration(ms), text)
})
