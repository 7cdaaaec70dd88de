import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createScale, lookOf, PAPER_COLOURS, spreadLabels } from './chart-parts.ts'
import { figureHasSpread, tableHasBest, tableHasSpread } from './has-spread.ts'

test('labels keep their distance, their order and the frame, and move no further than they must', () => {
  const frame = { gap: 10, from: 0, to: 100 }
  assert.deepEqual(spreadLabels([20, 50, 80], frame), [20, 50, 80])
  // Three on one spot spread around it; the order is that given.
  assert.deepEqual(spreadLabels([50, 50, 50], frame), [40, 50, 60])
  assert.deepEqual(spreadLabels([99, 3, 98, 97], frame), [100, 3, 90, 80])
  assert.deepEqual(spreadLabels([0, 0], frame), [0, 10])
  assert.deepEqual(spreadLabels([], frame), [])
  // Too many for the frame: they go on below it and still do not touch.
  assert.deepEqual(spreadLabels([5, 5, 5], { gap: 10, from: 0, to: 15 }), [0, 10, 20])
})

test('an axis ends on a round number and its ticks are round', () => {
  const scale = createScale({ max: 87, from: 0, to: 100, ticks: 6 })
  assert.deepEqual([scale.ticks, scale.max], [[0, 20, 40, 60, 80, 100], 100])
  assert.equal(scale.place(50), 50)
  const small = createScale({ max: 0.28, from: 100, to: 0, ticks: 6 })
  assert.deepEqual(small.ticks, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3])
  assert.equal(small.decimals, 2)
  assert.equal(createScale({ max: 33, from: 0, to: 1, ticks: 4, exact: true }).max, 33)
})

test('an axis for nothing or for nonsense is an axis', () => {
  for (const max of [0, Number.NaN, Number.NEGATIVE_INFINITY]) {
    assert.equal(createScale({ max, from: 0, to: 10, ticks: 5 }).max, 1)
  }
})

test('28 orderings have 28 looks', () => {
  const looks = Array.from({ length: 28 }, (_, place) => JSON.stringify(lookOf(place)))
  assert.equal(new Set(looks).size, 28)
})

// How people see who lack the red, the green or the blue cones: Machado, Oliveira, Fernandes 2009.
const SIGHT = {
  full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'no red': [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  'no green': [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  'no blue': [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
}

test('no two colours fall together for colour-blind people, and each stands out from its page', () => {
  for (const [theme, page] of [
    ['light', '#ffffff'],
    ['dark', '#191d1c'],
  ] as const) {
    const colours = coloursOf(theme)
    assert.equal(colours.length, 7)
    for (const colour of colours) assert.ok(contrast(colour, page) >= 3, `${colour} on ${page}`)
    for (const [sight, matrix] of Object.entries(SIGHT)) {
      for (const [at, one] of colours.entries()) {
        for (const other of colours.slice(at + 1)) {
          const apart = distance(seen(one, matrix), seen(other, matrix))
          assert.ok(apart > 0.12, `${one} and ${other}, ${sight}: ${apart}`)
        }
      }
    }
  }
})

test('no two colours differ mostly in lightness, and files of figures have those of paper', () => {
  assert.deepEqual(coloursOf('light'), [...PAPER_COLOURS])
  for (const theme of ['light', 'dark'] as const) {
    const labs = coloursOf(theme).map((colour) => oklab(seen(colour, SIGHT.full)))
    for (const [at, [light, a, b]] of labs.entries()) {
      for (const [number, [other, c, d]] of labs.slice(at + 1).entries()) {
        const apart = Math.hypot(0.35 * (light - other), a - c, b - d)
        assert.ok(apart > 0.12, `${theme}: ${at} and ${at + 1 + number}: ${apart}`)
      }
    }
  }
})

function coloursOf(theme: 'light' | 'dark'): string[] {
  const style = readFileSync(join(import.meta.dirname, '../styles/report.css'), 'utf8')
  const part = style.split('[data-theme="dark"]')[theme === 'light' ? 0 : 1] ?? ''
  return [...part.matchAll(/--c\d: (#\w{6});/g)].map(([, colour = '']) => colour)
}

type Triple = readonly [number, number, number]

function linear(colour: string): Triple {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}

function contrast(colour: string, page: string): number {
  const light = (text: string) => {
    const [r, g, b] = linear(text)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
  }
  return Math.max(light(colour) / light(page), light(page) / light(colour))
}

function seen(colour: string, m: readonly number[]): Triple {
  const [r, g, b] = linear(colour)
  const row = (at: number) => Math.min(1, Math.max(0, m[at]! * r + m[at + 1]! * g + m[at + 2]! * b))
  return [row(0), row(3), row(6)]
}

/** In OKLab, where equal distances look equal. */
function distance(one: Triple, other: Triple): number {
  const [a, b] = [oklab(one), oklab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

function oklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

test('a caption speaks of intervals and bold figures only where there are any', () => {
  const rowsOf = (half: number | null, isBest: boolean) => ({
    rows: [
      {
        labels: [],
        cells: [
          { mean: 1, half: null, isBest: false },
          { mean: 2, half, isBest },
        ],
      },
    ],
  })
  const [measured, listed] = [rowsOf(0.5, true), rowsOf(null, false)]
  assert.deepEqual([tableHasSpread(measured), tableHasBest(measured)], [true, true])
  assert.deepEqual([tableHasSpread(listed), tableHasBest(listed)], [false, false])
  const line = { name: '', points: [0, 1], band: [], end: 1 }
  assert.equal(figureHasSpread({ lines: [line], bars: [] }), false)
  assert.equal(figureHasSpread({ lines: [line, { ...line, band: [0, 1, 2] }], bars: [] }), true)
  const bar = { name: '', mean: 1, half: null, values: [1] }
  assert.equal(figureHasSpread({ lines: [], bars: [bar] }), false)
  assert.equal(figureHasSpread({ lines: [], bars: [{ ...bar, half: 0.1 }] }), true)
})
