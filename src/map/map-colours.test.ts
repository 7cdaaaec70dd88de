import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeColour, hostColours, MAP_COLOURS, relevanceColour } from './map-colours.ts'
import { type MapNode, nodeSize } from './map-graph.ts'

type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]

const linear = (hex: string): Triple => {
  const part = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [part(1), part(3), part(5)]
}
const times = (matrix: Matrix, [a, b, c]: Triple): Triple => {
  const row = ([x, y, z]: Triple): number => x * a + y * b + z * c
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}
const clamped = ([a, b, c]: Triple): Triple => {
  const clamp = (value: number): number => Math.min(1, Math.max(0, value))
  return [clamp(a), clamp(b), clamp(c)]
}
/** Perceived colour (OKLab), where distances are meaningful. */
const perceived = (rgb: Triple): Triple => {
  const cones: Matrix = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ]
  const [l, m, s] = times(cones, rgb)
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)],
  )
}
/** Vision without red and without green cones (Machado and others, 2009). */
const EYES: Readonly<Record<string, Matrix>> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
}
const distance = (a: string, b: string, eyes: Matrix): number => {
  const [p, q] = [a, b].map((hex) => perceived(clamped(times(eyes, linear(hex)))))
  return Math.hypot(p![0] - q![0], p![1] - q![1], p![2] - q![2])
}
const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (a: string, b: string): number => {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high! + 0.05) / (low! + 0.05)
}

for (const [theme, colours] of Object.entries(MAP_COLOURS)) {
  test(`${theme}: hosts outside the crawl are seen, and are not the grey of the other hosts`, () => {
    assert.ok(contrast(colours.outside, colours.ground) >= 3)
    for (const eyes of Object.values(EYES)) {
      assert.ok(distance(colours.outside, colours.other, eyes) >= 0.15)
    }
  })

  test(`${theme}: hosts stay apart for all eyes`, () => {
    const all = [...colours.hosts, colours.other]
    assert.equal(all.length, 13)
    for (const [name, eyes] of Object.entries(EYES)) {
      for (const [at, a] of all.entries()) {
        for (const b of all.slice(at + 1)) {
          assert.ok(distance(a, b, eyes) > 0.085, `${name}: ${a} ${b} ${distance(a, b, eyes)}`)
        }
      }
    }
  })

  test(`${theme}: what is a node stands out from the ground`, () => {
    for (const colour of colours.hosts) {
      assert.ok(contrast(colour, colours.ground) >= 3, `${colour}`)
    }
    assert.ok(contrast(colours.text, colours.ground) >= 7)
  })

  test(`${theme}: a few links are seen, thousands stay in the background`, () => {
    const few = contrast(edgeColour(colours, 1), colours.ground)
    const some = contrast(edgeColour(colours, 1500), colours.ground)
    const many = contrast(edgeColour(colours, 20_000), colours.ground)
    assert.ok(few >= 3, `${few}`)
    assert.ok(few > some && some > many, `${few} ${some} ${many}`)
    assert.equal(edgeColour(colours, 20_000), colours.edge)
  })

  test(`${theme}: more relevant is further from the ground, step by step`, () => {
    const steps = colours.scale.map((colour) => contrast(colour, colours.ground))
    for (const [at, step] of steps.slice(1).entries()) assert.ok(step > steps[at]!, `${steps}`)
    for (const [name, eyes] of Object.entries(EYES)) {
      for (const [at, colour] of colours.scale.slice(1).entries()) {
        assert.ok(distance(colour, colours.scale[at]!, eyes) > 0.05, `${name} ${colour}`)
      }
    }
  })
}

test('a host has the same colour in every map of a crawl', () => {
  const colours = MAP_COLOURS.light
  const pages = { 'b.test': 5, 'a.test': 9, 'c.test': 5 }
  const nodes = (...hosts: string[]) => ({ nodes: hosts.map((host) => ({ host }) as MapNode) })
  const whole = hostColours(pages, nodes('a.test', 'b.test', 'c.test'), colours)
  const one = hostColours(pages, nodes('c.test', 'c.test'), colours)
  assert.deepEqual([...whole.keys()], ['a.test', 'b.test', 'c.test'])
  assert.equal(one.get('c.test'), whole.get('c.test'))
  const unknown = hostColours({}, nodes('x.test', 'y.test', 'y.test'), colours)
  assert.deepEqual([...unknown.keys()], ['y.test', 'x.test'])
})

test('a relevance outside of 0 to 1 has a colour too', () => {
  const colours = MAP_COLOURS.light
  assert.equal(relevanceColour(null, colours), colours.faded)
  assert.equal(relevanceColour(Number.NaN, colours), colours.faded)
  assert.equal(relevanceColour(0, colours), colours.scale[0])
  assert.equal(relevanceColour(1, colours), colours.scale[4])
  assert.equal(relevanceColour(7, colours), colours.scale[4])
})

test('a node grows with its rank, within bounds', () => {
  assert.ok(nodeSize(1, 1, 10_000) > nodeSize(0.1, 1, 10_000))
  assert.equal(nodeSize(5, 1, 100), nodeSize(1, 1, 100))
  assert.equal(nodeSize(Number.NaN, 0, 100), nodeSize(0, 1, 100))
  assert.ok(nodeSize(0, 1, 10) > nodeSize(0, 1, 1000), 'few nodes are larger')
})
