import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cellsCsv } from './csv.ts'
import { escaped, latexDocument, latexTable } from './latex.ts'
import { readPlan } from './plan.ts'
import { experimentReport } from './report.ts'
import { shownTables } from './shown-tables.ts'

const PLAN = readPlan(
  `{ "name": "x", "kind": "crawl", "title": "50% & more_", "repeats": 2,
     "factors": { "ordering": ["=cmd()", "b_c"], "hostPolicy": ["fair", "best"] },
     "tables": [{ "name": "t", "rows": ["ordering"], "across": "hostPolicy", "columns": ["p_cs/pagerank@20%"] }],
     "figures": [{ "curve": "p_cs/pagerank", "lines": ["ordering"] }] }`,
  'x.json',
)

function cell(number: number, ordering: string, hostPolicy: string, repeat: number, value: number) {
  const [curve, of] = ['p_cs', 'pagerank']
  return {
    cell: {
      number,
      key: '',
      labels: { ordering, hostPolicy },
      options: {},
      repeat,
      seed: 1 + repeat,
    },
    result: {
      ...{ key: '', sites: [], maps: [], notes: [] },
      measures: [{ measure: 'p_cs', of, at: '20%', value, unit: '%' }],
      curves: [{ curve, of, x: [0, 100], y: [null, value], xUnit: '% of pages', yUnit: '%' }],
    },
  }
}
const CELLS = [
  cell(1, '=cmd()', 'fair', 0, 10),
  cell(2, '=cmd()', 'fair', 1, 20),
  cell(3, '=cmd()', 'best', 0, 90),
  cell(4, 'b_c', 'fair', 0, 40),
]

test('CSV has a row per value, a column per factor, and no formulas', () => {
  const [head, first] = cellsCsv(PLAN, CELLS).split('\r\n')
  assert.equal(
    head,
    '"cell","ordering","hostPolicy","repeat","seed","measure","of","at","value","unit"',
  )
  assert.match(first ?? '', /^1,"'=cmd\(\)","fair",1,1,"p_cs","pagerank","20%",10,"%"$/)
})

test('a LaTeX table has groups, indexes, intervals, and nothing that LaTeX would run', () => {
  const [table] = shownTables(PLAN, CELLS, 'en')
  const text = latexTable(table!, { language: 'en', origin: 'one\n\\input{evil}' })
  assert.match(text, /^% one \\input\{evil\}\n/)
  assert.match(text, /\\multicolumn\{1\}\{c\}\{fair\} & \\multicolumn\{1\}\{c\}\{best\}/)
  assert.match(text, /Ordering & \$P_\{\\mathrm\{CS\}\}\$/)
  assert.match(text, /^ {4}& PageRank & PageRank \\\\\n {4}& K = 20\\% & K = 20\\% \\\\$/m)
  // 15 ± 12.706 · 7.07 ÷ √2.
  assert.match(text, /=cmd\(\) & 15\.0 \$\\pm\$ 63\.5 & 90\.0 \\\\/)
  assert.match(text, /b\\_c & \\textbf\{40\.0\} & -- \\\\/)
})

test('captions write P_CS as the columns do, and wide tables get the small letters', () => {
  const [table] = shownTables(PLAN, CELLS, 'en')
  const titled = { ...table!, title: 'P_CS, P_CSX & more' }
  const text = latexTable(titled, { language: 'en', origin: '' })
  assert.match(text, /\\caption\{\$P_\{\\mathrm\{CS\}\}\$, P\\_CSX \\& more\. Means/)
  assert.match(latexDocument(PLAN, [titled]), /\\g@addto@macro\\@floatboxreset\{\\footnotesize\}/)
})

test('signs of LaTeX are escaped, and letters without a font replaced', () => {
  assert.equal(
    escaped('a_b & 5% \\x{y} <é> 漢'),
    'a\\_b \\& 5\\% \\textbackslash{}x\\{y\\} \\textless{}é\\textgreater{} ?',
  )
})

test('a report has curves with gaps and bands that stay within 100 %', () => {
  const { figures } = experimentReport({
    ...{ plan: PLAN, cells: CELLS, language: 'en', command: 'x', machine: null },
  })
  const [figure] = figures
  assert.equal(figure?.yMax, 100)
  assert.deepEqual(figure?.lines[0], {
    name: '=cmd()',
    points: [null, null, 100, 40],
    band: [100, 0, 100],
    end: 40,
  })
})
