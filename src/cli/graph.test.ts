import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseGraph, summary } from './graph.ts'
import { parseRank } from './rank.ts'

const around = { cwd: '/nowhere', env: {}, cores: 2, readStdin: async () => '' }

function graph(line: string) {
  const { dataDir: _, ...options } = parseGraph(line.split(' '), around)
  return options
}

function rank(line: string) {
  return parseRank(line === '' ? [] : line.split(' '), around)
}

test('the format is what was said, else what the end of the file says, else HTML', () => {
  const formats = [
    'pages',
    'sites --out a.svg',
    'sites --out a.gexf --format dot',
    'pages --out notes.txt --format json',
    'pages --out map',
    'pages --out MAP.HTM',
    'pages --json',
    'pages --json --format json --out -',
  ].map((line) => graph(line).format)
  assert.deepEqual(formats, ['html', 'svg', 'dot', 'json', 'html', 'html', 'json', 'json'])
})

test('a map that is too large for a picture is drawn by its strongest part, and that is said', () => {
  const wish = { out: null, kind: 'pages', top: 50_000 } as const
  const map = { totalNodes: 120_000, totalEdges: 900_000 }
  assert.match(
    summary(wish, map, 10_000),
    /^the best 10,000 of 120,000 pages by PageRank, as many as a picture can show; gexf/,
  )
  assert.equal(summary({ ...wish, top: 200 }, map, 200), 'the best 200 of 120,000 pages')
  assert.match(summary({ ...wish, top: null }, map, 500), /the best 500 .*; --top N shows more$/)
  const small = { totalNodes: 30, totalEdges: 40 }
  assert.equal(summary(wish, small, 10_000), '30 pages, 40 links between them')
})

test('what cannot be made out is said, with what could be', () => {
  for (const [line, problem] of [
    ['--top 3', /graph: give what the map is of: pages or sites/],
    ['links', /pages or sites, not "links"/],
    ['pages sites', /sites: is one word too many/],
    ['pages --format png', /needs one of html, svg, dot, gexf, graphml, json, not "png"/],
    ['pages --out map.pdf', /--format: ".pdf" is none of ours; say which: html, svg, dot/],
    ['pages --top 0', /--top: needs a whole number of at least 1/],
    ['pages --beyond 5', /--beyond: is for graph sites/],
    ['sites --beyond 1001', /--beyond: needs a whole number/],
    ['pages --json --format svg', /--json: is the same as --format json/],
    ['pages --host a/b', /--host: needs a host/],
    ['pages --tpo 3', /did you mean --top/],
  ] as const) {
    assert.throws(() => graph(line), problem, line)
  }
})

test('- is stdout, and a file is found from where the user is', () => {
  assert.equal(graph('pages --out -').out, null)
  assert.equal(graph('pages --out map.html').out, '/nowhere/map.html')
})

test('rank is by PageRank, of the best twenty pages, unless it is said otherwise', () => {
  const { by, top, hosts, kept } = rank('')
  assert.deepEqual({ by, top, hosts, kept }, { by: 'pagerank', top: 20, hosts: false, kept: false })
  assert.equal(rank('--limit 7 --by out').top, 7)
})

test('rank says what it cannot tell', () => {
  for (const [line, problem] of [
    ['--by fame', /needs one of pagerank, backlinks, importance, out, not "fame"/],
    ['--hosts --by importance', /hosts have no importance/],
    ['--kept --by out', /knows no links out/],
    ['--kept --hosts', /no hosts/],
    ['pages', /pages: is one word too many/],
  ] as const) {
    assert.throws(() => rank(line), problem, line)
  }
})
