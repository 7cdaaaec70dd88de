import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDates, readDate, showsMonthFirst } from './written-date.ts'

const DAY_FIRST = { monthFirst: false }
const MONTH_FIRST = { monthFirst: true }

function isoOf(at: number | undefined): string {
  return at === undefined ? '' : new Date(at).toISOString().replace(/T00:00:00.000Z$/, '')
}

const VALUES: readonly (readonly [value: string, at: string])[] = [
  ['2026-01-12', '2026-01-12'],
  ['2026-1-2', '2026-01-02'],
  ['2026/01/12', '2026-01-12'],
  ['20260112', '2026-01-12'],
  ['20260112T0930', '2026-01-12T09:30:00.000Z'],
  ['2026-01-12T09:30:15Z', '2026-01-12T09:30:15.000Z'],
  ['2026-01-12T09:30:15.123+07:00', '2026-01-12T02:30:15.000Z'],
  ['2026-01-12T01:00:00+0700', '2026-01-11T18:00:00.000Z'],
  ['2026-01-12 09:30', '2026-01-12T09:30:00.000Z'],
  ['Mon, 12 Jan 2026 09:30:00 GMT', '2026-01-12T09:30:00.000Z'],
  ['Mon Jan 12 2026 09:30:00 GMT+0700', '2026-01-12T02:30:00.000Z'],
  ['1768210200', '2026-01-12T09:30:00.000Z'],
  ['1768210200000', '2026-01-12T09:30:00.000Z'],
  ['HealthDECEMBER 22, 2022', '2022-12-22'],
  ['2026-02-30', ''],
  ['2026-13-01', ''],
  ['soon', ''],
  ['', ''],
  ['12', ''],
]

for (const [value, at] of VALUES) {
  test(`the value "${value}" is ${at === '' ? 'no date' : at}`, () => {
    assert.equal(isoOf(readDate(value, DAY_FIRST)?.at), at)
  })
}

const TEXTS: readonly (readonly [text: string, day: string])[] = [
  ['12 January 2026', '2026-01-12'],
  ['12th of January 2026', '2026-01-12'],
  ['January 12, 2026', '2026-01-12'],
  ['Jan. 12th, 2026', '2026-01-12'],
  ['Published: JANUARY 12 2026', '2026-01-12'],
  ['Senin, 12 Januari 2026', '2026-01-12'],
  ['17 Agu 2025', '2025-08-17'],
  ['Kamis, 1 Mei 2025', '2025-05-01'],
  ['12. Januar 2026', '2026-01-12'],
  ['3. März 2026', '2026-03-03'],
  ['le 1er août 2025', '2025-08-01'],
  ['12 de enero de 2026', '2026-01-12'],
  ['12 de março de 2026', '2026-03-12'],
  ['12 gennaio 2026', '2026-01-12'],
  ['12 maart 2026', '2026-03-12'],
  ['12 stycznia 2026', '2026-01-12'],
  ['12 Ocak 2026', '2026-01-12'],
  ['12. ledna 2026', '2026-01-12'],
  ['12 mars 2026', '2026-03-12'],
  ['12 января 2026', '2026-01-12'],
  ['2026年1月12日', '2026-01-12'],
  ['2026년 1월 12일', '2026-01-12'],
  ['2026. január 12.', '2026-01-12'],
  ['12 tháng 1, 2026', '2026-01-12'],
  ['12.01.2026', '2026-01-12'],
  ['12-01-2026', '2026-01-12'],
  ['12/01/2026', '2026-01-12'],
  ['12 | 01 | 2026', '2026-01-12'],
  ['version 1.12.2026.4', ''],
  ['10.0.20.26', ''],
  ['2 hours ago', ''],
  ['12 monkeys 2026', ''],
  ['Copyright 2026', ''],
]

for (const [text, day] of TEXTS) {
  test(`"${text}" contains ${day === '' ? 'no day' : day}`, () => {
    assert.equal(isoOf(findDates(text, DAY_FIRST)[0]?.dayAt), day)
  })
}

test('a time, its half of the day and its zone make a moment', () => {
  const at = (text: string): string => isoOf(findDates(text, DAY_FIRST)[0]?.at)
  assert.equal(at('12 Januari 2026 10:00 WIB'), '2026-01-12T03:00:00.000Z')
  assert.equal(at('12 Januari 2026, 10.15 WITA'), '2026-01-12T02:15:00.000Z')
  assert.equal(at('January 12, 2026 at 9:30 PM EST'), '2026-01-13T02:30:00.000Z')
  assert.equal(at('12. Januar 2026, 14:05 Uhr'), '2026-01-12T14:05:00.000Z')
})

test('the stored day is the day as written, whatever day it was in UTC', () => {
  const date = readDate('2026-01-12T01:00:00+07:00', DAY_FIRST)
  assert.equal(isoOf(date?.dayAt), '2026-01-12')
})

test('numeric dates follow the page’s order, unless they have only one reading', () => {
  const day = (text: string, habit = MONTH_FIRST): string => isoOf(findDates(text, habit)[0]?.dayAt)
  assert.equal(day('3/4/2025'), '2025-03-04')
  assert.equal(day('3/4/2025', DAY_FIRST), '2025-04-03')
  assert.equal(day('13/4/2025'), '2025-04-13')
  assert.equal(day('4/13/2025', DAY_FIRST), '2025-04-13')
  assert.equal(day('3.4.2025'), '2025-04-03')
})

test('a page that writes 13/4 shows that the day comes first', () => {
  assert.equal(showsMonthFirst('on 13/04/2025'), false)
  assert.equal(showsMonthFirst('on 04/13/2025'), true)
  assert.equal(showsMonthFirst('on 04/03/2025'), null)
})

test('years of two digits count only where a date is expected', () => {
  assert.equal(findDates('12.01.26', DAY_FIRST).length, 0)
  assert.equal(isoOf(findDates('12.01.26', DAY_FIRST, true)[0]?.dayAt), '2026-01-12')
})

test('all dates of a line are found, in their order', () => {
  const found = findDates('Posted 12 January 2026, updated January 14, 2026', DAY_FIRST)
  assert.deepEqual(
    found.map(({ dayAt }) => isoOf(dayAt)),
    ['2026-01-12', '2026-01-14'],
  )
})
