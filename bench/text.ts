// Our own text processing beside the packages that do the same: stemmers, language detection, `srcset`,
// words. What is written by hand here must be worth it, and this is where that is shown; if it ever
// says a package is as fast and as right, the package goes in.
//
//   sh scripts/node bench/text.ts [--quick] [--truth FOLDER]
//
// FOLDER holds pages with truth (README.md); their languages are asked for, too. Each subject is a
// process of its own, so that none pays for another's garbage.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine } from './machine.ts'
import { markdownTable } from './table.ts'
import { type Material, materialFrom, TEXT_LENGTH } from './text/material.ts'
import { type Done, LISTS, type ListName, type Loaded } from './text/runner.ts'
import { installPackages, OURS, RULES } from './text/subjects.ts'

type Outcome = Loaded & Done & { readonly name: string }
type Row = readonly [name: string, of: (outcome: Outcome) => string]

const STARTS = 5
const NONE = ''

async function outcomesOf(list: ListName, material: Material): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { name } of LISTS[list]) {
    process.stderr.write(`${list}: ${name} …\n`)
    outcomes.push({ name, ...(await outcomeOf(list, name, material)) })
  }
  return outcomes
}

/** Loading is measured several times, the first one fills the cache of compiled code. */
async function outcomeOf(list: ListName, name: string, material: Material): Promise<Loaded & Done> {
  const starts: Loaded[] = []
  for (let start = 0; start < STARTS; start++) {
    const child = startSubject(list, name)
    try {
      starts.push((await once(child, 'message'))[0])
      if (start < STARTS - 1) continue
      child.send(material)
      const [done]: Done[] = await once(child, 'message')
      if (done === undefined) throw new Error(`${name} said nothing`)
      const middle = (what: keyof Loaded) => median(starts.map((one) => one[what]))
      return { ...done, loadMs: middle('loadMs'), heapMb: middle('heapMb') }
    } finally {
      child.kill()
    }
  }
  throw new Error('it was never started')
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

function startSubject(list: ListName, name: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'text', 'runner.ts'), [list, name], {
    serialization: 'advanced',
    execArgv: ['--expose-gc'],
  })
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error(`the process of ${name} left with ${code}`)
  })
  return child
}

const LOADING: readonly Row[] = [
  ['ms to load', ({ loadMs }) => loadMs.toFixed(1)],
  ['MB of heap', ({ heapMb }) => heapMb.toFixed(1)],
]

function us(what: string): Row[1] {
  return (outcome) => outcome.us.get(what)?.toFixed(2) ?? NONE
}

function table(outcomes: readonly Outcome[], rows: readonly Row[]): string {
  const head = ['', ...outcomes.map(({ name }) => name)]
  return markdownTable(
    head,
    rows.map(([name, of]) => [name, ...outcomes.map(of)]),
  )
}

/** The share of answers that are those of our own, as a percentage. */
function sameAs(ours: Outcome | undefined, what: string): Row[1] {
  const expected = ours?.answers.get(what) ?? []
  return ({ name, answers }) => {
    const given = answers.get(what)
    if (given === undefined || name === OURS) return NONE
    return percent(given.filter((answer, at) => answer === expected[at]).length, given.length)
  }
}

function percent(part: number, whole: number): string {
  return whole === 0 ? NONE : `${((100 * part) / whole).toFixed(2)} %`
}

function stemmingReport(outcomes: readonly Outcome[], material: Material): string {
  const rows = RULES.flatMap((rules): Row[] => [
    [`${rules}: µs per word not met before`, us(rules)],
    [`${rules}: the stem of ours, of ${material[rules].length} words`, sameAs(outcomes[0], rules)],
  ])
  return table(outcomes, [
    ...LOADING,
    ...rows,
    ['english: µs per text, nothing remembered', us('text, nothing remembered')],
    ['english: µs per text, words remembered', us('text, words remembered')],
  ])
}

function languageReport(outcomes: readonly Outcome[], material: Material): string {
  const known = outcomes.map(({ languages }) => languages).find((list) => list !== null) ?? []
  const groups = (what: 'sentences' | 'pages'): Row[] => [
    ...judged(material, what, '', () => true),
    ...judged(material, what, ' in languages both know', (language) => known.includes(language)),
    ...judged(material, what, ' in Indonesian', (language) => language === 'id'),
  ]
  return table(outcomes, [
    ...LOADING,
    ['µs per sentence', us('sentence')],
    ['µs per text', us('text')],
    ...groups('sentences'),
    ...(material.pages.length === 0 ? [] : groups('pages')),
  ])
}

/** Who is not sure may say so, and the page's own word counts then: only a wrong answer does harm. */
function judged(
  material: Material,
  what: 'sentences' | 'pages',
  where: string,
  counts: (language: string) => boolean,
): Row[] {
  const asked = material[what].map(({ language }) => language)
  const total = asked.filter(counts).length
  const share = (isSo: (answer: string, truth: string) => boolean): Row[1] => {
    return ({ answers }) => {
      const given = answers.get(what) ?? []
      const is = asked.filter((truth, at) => counts(truth) && isSo(given[at] ?? '', truth))
      return percent(is.length, total)
    }
  }
  return [
    [`${total} ${what}${where}: right`, share((answer, truth) => answer === truth)],
    [
      `${total} ${what}${where}: wrong`,
      share((answer, truth) => answer !== truth && answer !== ''),
    ],
  ]
}

function srcsetReport(outcomes: readonly Outcome[], material: Material): string {
  return table(outcomes, [
    ...LOADING,
    ['µs per attribute', us('srcset')],
    [`the candidates of ours, of ${material.srcsets.length}`, sameAs(outcomes[0], 'srcset')],
  ])
}

function readingReport(outcomes: readonly Outcome[]): string {
  const names = new Set(outcomes.flatMap((outcome) => [...outcome.us.keys()]))
  return table(
    outcomes,
    [...names].map((name): Row => [`µs per text: ${name}`, us(name)]),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, truth: { type: 'string' } },
  })
  if (!process.env.BENCH_MACHINE_SHOWN) process.stdout.write(`Machine: ${machine()}\n\n`)
  const missing = installPackages()
  if (missing !== null) {
    process.stdout.write(`Skipped: ${missing}\n`)
    return
  }
  const material = materialFrom({ pages: values.quick ? 150 : 600, truth: values.truth })
  const print = (title: string, text: string) => process.stdout.write(`### ${title}\n\n${text}\n\n`)
  process.stdout.write(
    `${material.texts.length} texts of ${TEXT_LENGTH} characters; times are processor time.\n\n`,
  )
  print('Stemming', stemmingReport(await outcomesOf('stemmers', material), material))
  print('Language of a text', languageReport(await outcomesOf('detectors', material), material))
  print('srcset', srcsetReport(await outcomesOf('srcsets', material), material))
  print('Reading words', readingReport(await outcomesOf('readers', material)))
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await main()
