import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMap } from '../../map/map-graph.ts'
import { firstShown, shownCount, shownEdges, shownNodes, WHOLE_MAP } from './map-filter.ts'

const graph = createMap(
  Array.from({ length: 100 }, (_, id) => ({
    id,
    label: id === 3 ? 'Kopi Tubruk' : `page ${id}`,
    url: `http://h${id % 2}.test/${id}`,
    host: `h${id % 2}.test`,
    group: '',
    rank: 100 - id,
    relevance: null,
    hot: id % 10 === 0,
    in: 0,
    out: 0,
    pages: null,
  })),
  [],
)

const shown = (filter: Partial<typeof WHOLE_MAP>): number[] =>
  firstShown(shownNodes(graph, { ...WHOLE_MAP, ...filter }), 1000)

test('a map is narrowed by text, host, hot pages and rank', () => {
  assert.equal(shown({}).length, 100)
  assert.deepEqual(shown({ text: ' kopi ' }), [3])
  assert.deepEqual(shown({ text: '/98' }), [98])
  assert.equal(shown({ host: 'h1.test' }).length, 50)
  assert.deepEqual(shown({ topShare: 0.05 }), [0, 1, 2, 3, 4])
  assert.deepEqual(shown({ hot: true, topShare: 0.2 }), [0, 10])
})

test('a link is counted when both of its ends are shown', () => {
  const links = { sources: Uint32Array.of(0, 1, 2, 0), targets: Uint32Array.of(1, 2, 0, 2) }
  const drawn = Uint32Array.of(0, 2)
  assert.deepEqual(shownEdges(links, drawn, Uint8Array.of(1, 1, 1)), { all: 4, drawn: 2 })
  assert.deepEqual(shownEdges(links, drawn, Uint8Array.of(1, 0, 1)), { all: 2, drawn: 1 })
  assert.deepEqual(shownEdges(links, drawn, Uint8Array.of(1, 0, 0)), { all: 0, drawn: 0 })
})

test('the list takes the first ones, and the count counts all', () => {
  const all = shownNodes(graph, WHOLE_MAP)
  assert.deepEqual(firstShown(all, 3), [0, 1, 2])
  assert.equal(shownCount(all), 100)
})
