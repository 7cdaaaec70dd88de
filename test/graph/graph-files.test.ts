// The files of `jelajah graph`, read back by the programs they are for.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runGraph } from '../../src/cli/graph.ts'
import { runRank } from '../../src/cli/rank.ts'
import { MAP_FORMAT_NAMES, type MapFormatName, type MapKind } from '../../src/map/map-format.ts'
import { openSqlitePageStore } from '../../src/store/sqlite/sqlite-page-store.ts'
import { storePath } from '../../src/workspace/folder/paths.ts'
import { sample, sampleJob, urlFor } from '../contract/sample-page.ts'
import { buildDashboard } from '../support/build-dashboard.ts'
import { openSqliteJobStore } from '../support/stores.ts'

const HOSTILE = [
  'Plain title',
  '</script><script>alert(1)</script>',
  '"quoted" & <b>bold</b> \'single\' ]]> -->',
  'nul \0 bell \x07 escape \x1b[31m vt \x0b end',
  'lone \ud800 surrogate and \udfff another, \ufffe \uffff',
  'right \u202eto left\u202c and \u2066isolated',
  'backslash \\ at the end \\',
  'tab\tand\nlines\r\n',
  '🦊 emoji and combining e\u0301',
  '&amp; &#0; \\N \\G <table>',
  '   ',
  `long ${'x'.repeat(5000)}`,
]

type Told = { readonly text: string; readonly warned: string }
const dataDir = mkdtempSync(join(tmpdir(), 'jelajah-graph-files-'))
const outDir = join(dataDir, 'out')
const PAGES = 24

before(async () => {
  buildDashboard()
  await using jobs = await openSqliteJobStore(storePath(dataDir))
  const job = await jobs.create(sampleJob({ name: 'hostile "name" <&> \u202e' }))
  await using store = await openSqlitePageStore({ path: storePath(dataDir), job })
  const url = (nth: number) => `h${nth % 3}.test/${nth}`
  await store.save(
    Array.from({ length: PAGES }, (_, nth) => {
      const targets = [(nth * 7 + 1) % PAGES, (nth * 5 + 2) % PAGES, Math.floor(nth / 2)]
      const inside = targets.map((target) => [urlFor(url(target)), 'words'])
      // The first host links to one outside from every page, all hosts to another from one page each.
      const rows = [...inside, ...(nth < 3 ? [['http://all.example/', 'out']] : [])]
      if (nth % 3 === 0) rows.push(['http://first.example/x', 'out'])
      const relevance = nth % 4 === 0 ? null : nth / PAGES
      const changes = { title: HOSTILE[nth % HOSTILE.length]!, relevance, hot: nth % 5 === 0 }
      return sample(url(nth), changes, { parts: { links: JSON.stringify(rows) } })
    }),
  )
})
after(() => rmSync(dataDir, { recursive: true }))

async function graph(
  kind: MapKind,
  format: MapFormatName,
  changes: Partial<Parameters<typeof runGraph>[0]> = {},
): Promise<Told> {
  const told = { text: '', warned: '' }
  const options = { dataDir, kind, format, out: null, force: false, crawl: null, host: null }
  await runGraph({ ...options, top: null, beyond: null, quiet: false, ...changes }, outputTo(told))
  return told
}

function outputTo(told: { text: string; warned: string }) {
  return {
    write: async (text: string) => {
      told.text += text
    },
    warn: (text: string) => {
      told.warned += text
    },
  }
}

type Node = Readonly<Record<string, unknown>> & { readonly id: number }
type Edge = { source: number; target: number; weight?: number; links?: number }
type Read = { readonly nodes: Node[]; readonly edges: Edge[] }

async function asJson(kind: MapKind): Promise<Read & Readonly<Record<string, unknown>>> {
  return JSON.parse((await graph(kind, 'json')).text)
}

/** What XML cannot hold is missing, and half a pair of surrogates is told as one that is unknown. */
function inXml(text: string): string {
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
}

test('JSON holds what the store does, and what rank says of it', async () => {
  const { nodes, edges, ...totals } = await asJson('pages')
  assert.deepEqual([totals.total_nodes, totals.total_edges], [PAGES, edges.length])
  assert.equal(nodes.length, PAGES)
  const told = { text: '', warned: '' }
  const options = { dataDir, crawl: null, host: null, hosts: false, kept: false, quiet: true }
  await runRank({ ...options, by: 'pagerank', top: 99, json: true }, outputTo(told))
  const ranked: Node[] = told.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    ranked.map(({ id, url, pagerank, in: from, out }) => [id, url, pagerank, from, out]),
    nodes.map(({ id, url, pagerank, in: from, out }) => [id, url, pagerank, from, out]),
  )
  assert.ok(Math.abs(nodes.reduce((sum, node) => sum + Number(node.pagerank), 0) - 1) < 1e-9)
  for (const { id, in: from, out } of nodes) {
    assert.equal(edges.filter(({ source }) => source === id).length, out)
    assert.equal(edges.filter(({ target }) => target === id).length, from)
  }
})

const READER = `
import json, sys, networkx
folder = sys.argv[1]
read = {
  "gexf": networkx.read_gexf(folder + "/pages.gexf"),
  "graphml": networkx.read_graphml(folder + "/pages.graphml"),
  "sites": networkx.read_graphml(folder + "/sites.graphml"),
  "sites-gexf": networkx.read_gexf(folder + "/sites.gexf"),
}
given = json.load(open(folder + "/pages.json"))
given["links"] = given["edges"]
try: read["json"] = networkx.node_link_graph(given, edges="edges")
except TypeError: read["json"] = networkx.node_link_graph(given)
told = {name: {
  "directed": graph.is_directed() and not graph.is_multigraph(),
  "nodes": [{**about, "id": int(node)} for node, about in graph.nodes(data=True)],
  "edges": [{**about, "source": int(a), "target": int(b)} for a, b, about in graph.edges(data=True)],
} for name, graph in read.items()}
ranks = networkx.pagerank(read["gexf"], weight=None, tol=1e-12, max_iter=1000)
told["ranks"] = {node: rank for node, rank in ranks.items()}
print(json.dumps(told))`

const hasNetworkx = spawnSync('python3', ['-c', 'import networkx, scipy']).status === 0

test('networkx reads GEXF, GraphML and JSON as what the store holds', {
  skip: hasNetworkx ? false : 'python3 with networkx and scipy is not installed',
}, async () => {
  const folder = mkdtempSync(join(dataDir, 'nx-'))
  for (const kind of ['pages', 'sites'] as const) {
    for (const format of ['gexf', 'graphml', 'json'] as const) {
      writeFileSync(join(folder, `${kind}.${format}`), (await graph(kind, format)).text)
    }
  }
  const run = spawnSync('python3', ['-c', READER, folder], { encoding: 'utf8', timeout: 60_000 })
  assert.equal(run.status, 0, run.stderr)
  const read: Record<string, Read & { directed: boolean }> = JSON.parse(run.stdout)
  const truth = await asJson('pages')
  for (const name of ['gexf', 'graphml', 'json']) {
    const { nodes, edges, directed } = read[name]!
    assert.ok(directed, name)
    assert.deepEqual(nodes.map(factsOf).sort(), truth.nodes.map(factsOf).sort(), name)
    assert.deepEqual(edges.map(edgeOf).sort(), truth.edges.map(edgeOf).sort(), name)
  }
  const sites = await asJson('sites')
  for (const name of ['sites', 'sites-gexf']) {
    const weights = (read[name]?.edges ?? []).map((edge) => `${edgeOf(edge)} ${weightOf(edge)}`)
    const wanted = sites.edges.map((edge) => `${edgeOf(edge)} ${weightOf(edge)}`)
    assert.deepEqual(weights.sort(), wanted.sort(), name)
  }
  const ranks: Record<string, number> = JSON.parse(run.stdout).ranks
  for (const { id, pagerank } of truth.nodes) {
    assert.ok(Math.abs((ranks[String(id)] ?? 0) - Number(pagerank)) < 1e-6)
  }
})

function factsOf({ id, url, title, host, depth, hot, relevance = null, ...more }: Node): string {
  const { pagerank, in: from, out } = more
  const facts = [id, url, inXml(String(title)), host, depth, hot, relevance, pagerank, from, out]
  return JSON.stringify(facts)
}

function edgeOf({ source, target }: Edge): string {
  return `${source} → ${target}`
}

function weightOf(edge: Edge): number {
  return edge.links ?? edge.weight ?? 0
}

const hasGraphviz = spawnSync('dot', ['-V']).status === 0

test('Graphviz reads DOT as what the store holds', {
  skip: hasGraphviz ? false : 'Graphviz (dot) is not installed',
}, async () => {
  const { text } = await graph('pages', 'dot')
  const run = spawnSync('dot', ['-Tjson0'], { input: text, encoding: 'utf8', timeout: 60_000 })
  assert.equal(run.status, 0, run.stderr)
  type Drawn = {
    objects: Readonly<Record<string, string>>[]
    edges: { tail: number; head: number }[]
  }
  const { objects, edges }: Drawn = JSON.parse(run.stdout)
  const truth = await asJson('pages')
  const flat = (title: unknown) => String(title).replace(/[\0-\x1f\x7f]+/g, ' ')
  const twice = (title: string) => title.replaceAll('\\', '\\\\')
  assert.deepEqual(
    objects
      .map(({ name, url, title, in: from, out }) => `${name} ${url} ${from} ${out} ${title}`)
      .sort(),
    truth.nodes
      .map(
        ({ id, url, title, in: from, out }) => `${id} ${url} ${from} ${out} ${twice(flat(title))}`,
      )
      .sort(),
  )
  const named = (at: number) => objects[at]?.name
  assert.deepEqual(
    edges.map(({ tail, head }) => `${named(tail)} → ${named(head)}`).sort(),
    truth.edges.map(edgeOf).sort(),
  )
})

test('in SVG and HTML what the web said is text, and nothing can end what it stands in', async () => {
  const [{ text: svg }, { text: html }] = [
    await graph('pages', 'svg'),
    await graph('pages', 'html'),
  ]
  assert.doesNotMatch(svg, /<script|<b>|<table|[\0-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e]/)
  assert.equal(svg.match(/<circle class/g)?.length, PAGES + 3)
  assert.equal(html.match(/<\/script>/gi)?.length, 2)
  assert.doesNotMatch(html, /<script>alert|[\0-\x08\x0b\x0c\x0e-\x1f\u202a-\u202e]/)
  assert.match(html, /Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/)
  assert.doesNotMatch(html, /(?:src|href)=["']?https?:/)
})

test('the same map is the same file, whatever the format', async () => {
  for (const format of MAP_FORMAT_NAMES) {
    assert.equal((await graph('pages', format)).text, (await graph('pages', format)).text, format)
  }
})

test('--top takes the best, --host the pages of one or the sites around it', async () => {
  const best: Read = JSON.parse((await graph('pages', 'json', { top: 5 })).text)
  const all = await asJson('pages')
  assert.deepEqual(best.nodes, all.nodes.slice(0, 5))
  const ids = new Set(best.nodes.map(({ id }) => id))
  const among = all.edges.filter(({ source, target }) => ids.has(source) && ids.has(target))
  assert.deepEqual(best.edges, among)
  const own: Read = JSON.parse((await graph('pages', 'json', { host: 'h1.test' })).text)
  assert.deepEqual([...new Set(own.nodes.map(({ host }) => host))], ['h1.test'])
  const around: Read = JSON.parse((await graph('sites', 'json', { host: 'h1.test' })).text)
  assert.equal(around.nodes.length, 3)
  await assert.rejects(graph('pages', 'json', { host: 'nowhere.test' }), /no page of nowhere\.test/)
  const { text } = await graph('pages', 'svg', { top: 10_001 })
  assert.match(text, /<svg/, 'more than a picture can show is no error')
})

test('hosts outside the crawl are in pictures of sites, and in files if asked for', async () => {
  const plain = await asJson('sites')
  assert.ok(plain.nodes.every((node) => !('outside' in node)) && !('total_outside' in plain))
  const wide = JSON.parse((await graph('sites', 'json', { beyond: 9 })).text)
  const outside = wide.nodes.filter((node: Node) => node.outside === true)
  assert.deepEqual(
    outside.map(({ id, host, pages, in: from }: Node) => [id, host, pages, from]),
    [
      [3, 'all.example', 0, 3],
      [4, 'first.example', 0, 1],
    ],
  )
  assert.deepEqual(
    wide.edges.filter(({ target }: Edge) => target >= 3).map((edge: Edge) => weightOf(edge)),
    [1, 1, 1, PAGES / 3],
  )
  assert.deepEqual([wide.total_nodes, wide.total_outside], [3, 2])
  const inside = wide.nodes.filter((node: Node) => node.outside === false)
  assert.deepEqual(
    inside.map(({ outside: _, ...node }: Node) => node),
    plain.nodes,
  )
  const around = JSON.parse((await graph('sites', 'json', { beyond: 9, host: 'h1.test' })).text)
  assert.equal(around.total_outside, 1)
  const { text: svg, warned } = await graph('sites', 'svg')
  assert.equal(svg.match(/<circle class="out"/g)?.length, 3, 'two hosts and the legend')
  assert.match(svg, /: 3 sites<.*systemLanguage="id">di luar perayapan: 2 host/s)
  assert.match(warned, /3 sites, 6 links between them; 2 hosts outside the crawl/)
  assert.doesNotMatch((await graph('sites', 'svg', { beyond: 0 })).text, /class="out"/)
  assert.match((await graph('sites', 'svg', { beyond: 1 })).warned, /; 1 of 2 hosts outside/)
  for (const format of ['dot', 'gexf', 'graphml'] as const) {
    const { text } = await graph('sites', format, { beyond: 9 })
    assert.match(text, /first\.example.*"?true/, format)
  }
})

test('a file that is there is not written over without --force, and none is left half', async () => {
  const out = join(dataDir, 'map.gexf')
  const first = await graph('sites', 'gexf', { out })
  assert.match(first.warned, /^written: .*map\.gexf: 3 sites, 6 links/)
  await assert.rejects(graph('sites', 'gexf', { out }), /is there already; --force/)
  await graph('pages', 'gexf', { out, force: true, quiet: true })
  assert.equal(readFileSync(out, 'utf8'), (await graph('pages', 'gexf')).text)
  await assert.rejects(graph('pages', 'gexf', { out: dataDir }), /is a folder/)
  await assert.rejects(graph('pages', 'gexf', { out: join(outDir, 'x') }), /no folder/)
  await assert.rejects(graph('pages', 'gexf', { out: '/dev/full' }), /the disk is full/)
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.includes('part')),
    [],
  )
})

test('a crawl that is named by its seeds is named by the first and how many more there are', async () => {
  const titleOf = async (changes: Parameters<typeof graph>[2]) =>
    JSON.parse((await graph('pages', 'json', changes)).text).graph.title
  const folder = join(dataDir, 'seeds')
  mkdirSync(folder)
  await using jobs = await openSqliteJobStore(storePath(folder))
  const seeds = Array.from({ length: 31 }, (_, nth) => urlFor(`s${nth}.test/`))
  const listed = await jobs.create(sampleJob({ name: [...seeds].sort().join(' '), seeds }))
  await using store = await openSqlitePageStore({ path: storePath(folder), job: listed })
  await store.save([sample('s1.test/')])
  assert.equal(await titleOf({ dataDir: folder }), 'Pages, crawl 1: s0.test and 30 more')
  const ofHost = await titleOf({ dataDir: folder, host: 's1.test' })
  assert.equal(ofHost, 'Pages of s1.test, crawl 1: s0.test and 30 more')
  assert.equal(await titleOf({}), 'Pages, crawl 1: hostile "name" <&> ')
})

test('a picture is not poured onto a terminal', async () => {
  const options = { dataDir, kind: 'pages', format: 'html', out: null, force: false } as const
  const rest = { crawl: null, host: null, top: null, beyond: null, quiet: false }
  const run = runGraph({ ...options, ...rest }, outputTo({ text: '', warned: '' }), {
    isTerminal: true,
  })
  await assert.rejects(run, /--out map\.html/)
})
