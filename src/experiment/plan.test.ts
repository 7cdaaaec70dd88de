import assert from 'node:assert/strict'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/e2e/crawling.ts'
import { checkPlan } from './check-plan.ts'
import { cellsOf } from './grid.ts'
import { type PlanChanges, readPlan, refOf } from './plan.ts'

const SMALL = `{
  // A comment.
  "name": "small",
  "kind": "simulate",
  "web": "sample",
  "options": { "budget": "5%" },
  "factors": {
    "ordering": ["breadth-first", "opic"],
    "crawler": [{ "label": "polite", "set": { "delay": 1000, "connections": 4 } }, { "label": "fast", "set": {} }],
  },
  "repeats": 2,
}`

test('a grid has every combination of levels, and every repeat of it', () => {
  const cells = cellsOf(readPlan(SMALL, 'small.json'), { cwd: '/' })
  assert.equal(cells.length, 8)
  assert.deepEqual(cells[0]?.labels, { ordering: 'breadth-first', crawler: 'polite' })
  // `connections` is another name for what a crawl calls concurrency.
  assert.deepEqual(cells[0]?.options, {
    budget: '5%',
    ordering: 'breadth-first',
    delay: 1000,
    concurrency: 4,
  })
  assert.deepEqual(
    cells.slice(0, 3).map(({ number, repeat, seed }) => [number, repeat, seed]),
    [
      [1, 0, 1],
      [2, 1, 2],
      [3, 0, 1],
    ],
  )
  assert.equal(new Set(cells.map(({ key }) => key)).size, 8)
})

test('the key of a cell depends on what it does, not on its place in the plan', () => {
  const before = cellsOf(readPlan(SMALL, 'small.json'), { cwd: '/' })
  const turned = SMALL.replace('["breadth-first", "opic"]', '["opic", "breadth-first"]')
  const after = cellsOf(readPlan(turned, 'small.json'), { cwd: '/' })
  assert.deepEqual(before.map(({ key }) => key).sort(), after.map(({ key }) => key).sort())
  const other = cellsOf(readPlan(SMALL.replace('5%', '6%'), 'small.json'), { cwd: '/' })
  assert.ok(before.every(({ key }) => other.every((cell) => cell.key !== key)))
})

test('the key of a cell changes with the files that its options name, and with a stored web', async () => {
  await using folder = await temporaryFolder()
  const long = `a topic in ${'many '.repeat(200)}words`
  const options = JSON.stringify({ examples: 'examples.txt', topic: long })
  const plan = readPlan(
    `{ "name": "x", "kind": "simulate", "options": ${options}, "factors": { "delay": [0] } }`,
    'x.json',
  )
  const keyWith = (examples: string, web = ''): string => {
    writeFileSync(join(folder.path, 'examples.txt'), examples)
    return cellsOf(plan, { cwd: folder.path, web })[0]?.key ?? ''
  }
  const key = keyWith('a')
  assert.equal(keyWith('a'), key)
  assert.notEqual(keyWith('b'), key)
  assert.notEqual(keyWith('a', 'refreshed'), key)
})

test('the command line changes web, options, factors and repeats', () => {
  const changes: PlanChanges = {
    web: { sample: 'campus' },
    set: [
      ['budget', '1%'],
      ['ordering', 'location'],
      ['delay', [0, 5]],
    ],
    repeats: 1,
  }
  const plan = readPlan(SMALL, 'small.json', changes)
  assert.deepEqual(plan.web, { from: 'sample', sample: 'campus' })
  assert.deepEqual(plan.options, { budget: '1%' })
  assert.deepEqual(
    plan.factors.map(({ name, levels }) => [name, levels.map(({ label }) => label)]),
    [
      ['ordering', ['location']],
      ['crawler', ['polite', 'fast']],
      ['delay', ['0', '5']],
    ],
  )
})

test('everything that is wrong with a plan is reported at once, with its place', () => {
  const wrong = `{
    "name": "Two Words", "kind": "guess", "web": { "sample": "moon" }, "reapeats": 3, "repeats": 0,
    "factors": { "ordering": [], "topic": [{ "words": "tea" }], "delay": [1, 1] },
    "baseline": { "topic": "x", "y": "z" }, "stop": ["120%"], "importance": ["fame"],
    "threshold": ["backlinks>=3"], "tables": [{ "rows": ["colour"] }], "figures": [{}]
  }`
  assert.throws(
    () => readPlan(wrong, 'wrong.json'),
    (error: Error) => {
      const places = error.message.split('\n').map((line) => line.replace(/^plan: /, ''))
      const expected = [
        ...['reapeats', 'name', 'kind', 'factors.ordering', 'factors.topic[0].label'],
        ...['factors.delay', 'web.sample', 'repeats', 'baseline.topic', 'baseline.y'],
        ...['importance[0]', 'threshold[0]', 'stop[0]', 'tables[0]', 'tables[0].columns'],
        'figures[0]',
      ]
      assert.deepEqual(
        places.map((line) => line.split(': ')[1]),
        expected,
        error.message,
      )
      return true
    },
  )
  assert.throws(() => readPlan('{', 'x.json'), /x\.json: is not valid JSON/)
  assert.throws(() => readPlan('[]', 'x.json'), /must hold one JSON object/)
})

test('a simulated plan cannot have what needs real crawls', () => {
  const plan = SMALL.replace('"budget": "5%"', '"bandwidth": 5').replace(
    '"repeats"',
    '"maps": true, "repeats"',
  )
  assert.throws(() => readPlan(plan, 'x.json'), /bandwidth needs real crawls[\s\S]*maps: need real/)
})

test('options of cells are checked by the rules of a crawl before anything runs', async () => {
  const wrong = SMALL.replace('"opic"', '"topic-first"').replace(
    '"budget"',
    '"dealy": 3, "data": "x", "budget"',
  )
  const plan = readPlan(wrong, 'x.json')
  await assert.rejects(checkPlan(plan, 'x.json', '.'), (error: Error) => {
    assert.match(error.message, /ordering: .*topic-first/)
    assert.match(error.message, /dealy: there is no such option; did you mean delay\?/)
    assert.match(error.message, /data: cannot be chosen/)
    return true
  })
})

test('the seeds of a web are checked before anything runs', async () => {
  const plan = readPlan(
    '{ "name": "x", "kind": "crawl", "web": { "seeds": ["https://a.test/", "htp://b.test/"] } }',
    'x.json',
  )
  await assert.rejects(checkPlan(plan, 'x.json', '.'), {
    message: 'x.json: seeds[1]: "htp://b.test/" is not an http or https URL',
  })
})

test('a measure is named by measure, of and at', () => {
  assert.deepEqual(refOf('pages'), { measure: 'pages', of: '', at: '' })
  assert.deepEqual(refOf('harvest@20%'), { measure: 'harvest', of: '', at: '20%' })
  assert.deepEqual(refOf('p_st/pagerank@1%/20%'), { measure: 'p_st', of: 'pagerank', at: '1%/20%' })
})

test('every plan that comes with Jelajah can run', async () => {
  const folder = join(import.meta.dirname, '../../experiments')
  const files = globSync('*.json', { cwd: folder })
  assert.ok(files.length >= 4)
  for (const file of files) {
    const plan = readPlan(readFileSync(join(folder, file), 'utf8'), file)
    assert.equal(`${plan.name}.json`, file)
    await checkPlan(plan, file, folder)
  }
})

test('a measure that no crawl of the plan has is refused before the first crawl', async () => {
  const plan = (kind: string, columns: string, figures = '[]') =>
    readPlan(
      `{ "name": "x", "kind": "${kind}", "stop": ["5%"], "threshold": ["1%", "backlinks>=10"],
         "tables": [{ "name": "t", "columns": ${columns} }], "figures": ${figures} }`,
      'x.json',
    )
  const fine = '["p_cs/pagerank@5%", "p_st/backlinks@10/5%", "p_bc/backlinks@10%", "harvest@5%"]'
  await checkPlan(plan('simulate', fine), 'x.json', '.')
  const wrong = plan(
    'simulate',
    '["p_cx/pagerank@5%", "p_cs/pagerank@7%", "p_st/pagerank@10/5%", "cpu_cores/all"]',
    '[{ "curve": "harvst" }, { "curve": "cpu/parser" }, { "bars": "nothing" }]',
  )
  await assert.rejects(checkPlan(wrong, 'x.json', '.'), (error: Error) => {
    assert.deepEqual(error.message.split('\n').slice(0, 4), [
      'x.json: tables[0].columns[0]: there is no "p_cx"; did you mean p_cs?',
      'plan: x.json: tables[0].columns[1]: "p_cs/pagerank@7%" is not measured by this plan; there is p_cs/pagerank@5%, p_cs/backlinks@5%',
      'plan: x.json: tables[0].columns[2]: "p_st/pagerank@10/5%" is not measured by this plan; there is p_st/pagerank@1%/5%, p_st/backlinks@1%/5%, p_st/backlinks@10/5%',
      'plan: x.json: tables[0].columns[3]: "cpu_cores/all" needs real crawls: "kind": "crawl"',
    ])
    assert.match(error.message, /figures\[0\]\.curve: there is no "harvst"; did you mean harvest\?/)
    assert.match(error.message, /figures\[1\]\.curve: "cpu\/parser" needs real crawls/)
    assert.match(error.message, /figures\[2\]\.bars: there is no "nothing"; known are pages/)
    return true
  })
})

test('a web in another form is reported once', () => {
  const plan = '{ "name": "x", "kind": "simulate", "web": "campus" }'
  assert.throws(() => readPlan(plan, 'x.json'), {
    message:
      'x.json: web: needs "sample", or an object with sample, hosts, data or seeds, not "campus"',
  })
})
