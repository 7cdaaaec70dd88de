// A plan file: JSON with comments. docs/EXPERIMENTS.md describes its fields.
import { InvalidInput, shown } from '../core/errors.ts'
import { decodeImportance } from '../core/importance.ts'
import { parseWithComments } from '../lib/json-comments.ts'
import { isObject } from '../lib/present.ts'
import { SAMPLE_NAMES } from '../simulate/sample/sample-names.ts'
import {
  type Choices,
  type Factor,
  type FigurePlan,
  KINDS,
  type Level,
  type MeasureRef,
  type ModelSettings,
  type Plan,
  type PlanWeb,
  type TablePlan,
  type Threshold,
} from './experiment.ts'
import { countCells, MAX_CELLS } from './grid.ts'
import { type Fields, PlanReader } from './plan-fields.ts'

/** Metrics beside those of `--importance`. */
export const FORWARD_LINKS = 'forward-links'
const DEFAULT_SAMPLE = 'news'
const FIELDS = [
  ...['name', 'title', 'about', 'kind', 'web', 'options', 'factors', 'repeats', 'seed', 'baseline'],
  ...['importance', 'stop', 'threshold', 'buffer', 'tables', 'figures', 'maps', 'sites'],
]
const PROBLEMS_SHOWN = 20
/** Short names that people use for options of a crawl. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  connections: 'concurrency',
  workers: 'parserThreads',
  pages: 'maxPages',
}
const TOPIC_FIELDS = ['words', 'keywords', 'examples', 'classifier', 'stopWords']

/** What the command line changes: the web, options or factors, repeats. */
export type PlanChanges = {
  readonly web: unknown
  readonly set: readonly (readonly [name: string, value: unknown])[]
  readonly repeats: number | null
}

const NO_CHANGES: PlanChanges = { web: undefined, set: [], repeats: null }

/** InvalidInput with all problems at once. */
export function readPlan(text: string, file: string, changes = NO_CHANGES): Plan {
  const reader = new PlanReader()
  const plan = planOf(parsed(text, file), changes, reader)
  throwProblems(file, reader.problems)
  return plan
}

/** InvalidInput with these problems, each once; nothing if there are none. */
export function throwProblems(
  file: string,
  problems: readonly { readonly at: string; readonly message: string }[],
): void {
  const all = [...new Set(problems.map(({ at, message }) => `${at}: ${message}`))]
  if (all.length === 0) return
  const lines = all.slice(0, PROBLEMS_SHOWN).map((line) => `${file}: ${line}`)
  const more = all.length - lines.length
  if (more > 0) lines.push(`${file}: and ${more} more`)
  throw new InvalidInput('plan', lines.join('\nplan: '))
}

function parsed(text: string, file: string): Fields {
  try {
    const value = parseWithComments(text)
    if (isObject(value)) return value
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new InvalidInput('plan', `${file}: is not valid JSON: ${why}`)
  }
  throw new InvalidInput('plan', `${file}: must hold one JSON object`)
}

function planOf(written: Fields, changes: PlanChanges, reader: PlanReader): Plan {
  const fields = changed(written, changes, reader)
  reader.refuseUnknown(fields, FIELDS)
  const name = reader.text(fields, 'name')
  if (!/^[a-z0-9][a-z0-9-]{0,60}$/.test(name)) {
    reader.note('name', `needs small letters, digits and hyphens, not ${shown(fields.name)}`)
  }
  const kind = KINDS.find((known) => known === fields.kind)
  if (kind === undefined) {
    reader.note('kind', `needs ${KINDS.join(' or ')}, not ${shown(fields.kind)}`)
  }
  const factors = factorsOf(fields, reader)
  const plan: Plan = {
    ...{ name, factors, kind: kind ?? 'simulate' },
    title: reader.text(fields, 'title') || name,
    about: reader.text(fields, 'about'),
    web: webOf(fields.web ?? 'sample', reader),
    options: renamed(reader.object(fields.options ?? {}, 'options')),
    repeats: reader.whole(fields, 'repeats', { min: 1, max: 1000, preset: 1 }),
    seed: reader.whole(fields, 'seed', { min: 0, max: 2 ** 31, preset: 1 }),
    baseline: baselineOf(fields, factors, reader),
    models: modelsOf(fields, reader),
    tables: fields.tables === undefined ? null : tablesOf(fields, factors, reader),
    figures: fields.figures === undefined ? null : figuresOf(fields, factors, reader),
    maps: reader.truth(fields, 'maps'),
    sites: reader.truth(fields, 'sites'),
  }
  const cells = countCells(plan)
  if (cells > MAX_CELLS)
    reader.note('factors', `have ${cells} cells; at most ${MAX_CELLS} are possible`)
  if (plan.kind === 'simulate') refuseForReplays(plan, reader)
  return plan
}

/** A list for a factor, or for an option, makes it a factor with these levels. */
function changed(fields: Fields, { web, set, repeats }: PlanChanges, reader: PlanReader): Fields {
  const factors = { ...(isObject(fields.factors) ? fields.factors : {}) }
  const options = { ...(isObject(fields.options) ? fields.options : {}) }
  for (const [name, value] of set) {
    delete options[name]
    const isFactor = Object.hasOwn(factors, name)
    if (Array.isArray(value) || isFactor) factors[name] = Array.isArray(value) ? value : [value]
    else options[name] = value
  }
  if (set.length > 0 && Object.keys(factors).length === 0 && fields.factors !== undefined)
    reader.note('factors', 'needs an object with a list of levels for each factor')
  const baseline = withoutChanged(fields.baseline, set)
  return {
    ...fields,
    ...(set.length > 0 && { factors, options }),
    ...(baseline !== undefined && { baseline }),
    ...(web !== undefined && { web }),
    ...(repeats !== null && { repeats }),
  }
}

/** A baseline among levels that were replaced would be none. */
function withoutChanged(baseline: unknown, set: PlanChanges['set']): unknown {
  if (!isObject(baseline)) return baseline
  const names = set.map(([name]) => name)
  return Object.fromEntries(Object.entries(baseline).filter(([name]) => !names.includes(name)))
}

function webOf(web: unknown, reader: PlanReader): PlanWeb {
  if (web === 'sample') return { from: 'sample', sample: DEFAULT_SAMPLE }
  const wanted = 'needs "sample", or an object with sample, hosts, data or seeds'
  if (!isObject(web)) {
    reader.note('web', `${wanted}, not ${shown(web)}`)
    return { from: 'sample', sample: DEFAULT_SAMPLE }
  }
  const fields = web
  if (fields.sample !== undefined) {
    reader.refuseUnknown(fields, ['sample'], 'web')
    const sample = SAMPLE_NAMES.find((name) => name === fields.sample)
    const wrong = `needs one of ${SAMPLE_NAMES.join(', ')}, not ${shown(fields.sample)}`
    if (sample === undefined) reader.note('web.sample', wrong)
    return { from: 'sample', sample: sample ?? DEFAULT_SAMPLE }
  }
  if (fields.hosts !== undefined) {
    reader.refuseUnknown(fields, ['hosts', 'pages', 'meanBytes'], 'web')
    const hosts = reader.whole(fields, 'hosts', { min: 1, max: 500, preset: 8 }, 'web')
    const pages = reader.whole(fields, 'pages', { min: 1, max: 2_000_000, preset: 5000 }, 'web')
    const size = { min: 1000, max: 1_000_000, preset: 11_000 }
    return {
      from: 'hosts',
      hosts,
      pages,
      meanBytes: reader.whole(fields, 'meanBytes', size, 'web'),
    }
  }
  if (fields.data !== undefined) {
    reader.refuseUnknown(fields, ['data', 'crawl'], 'web')
    const crawl = typeof fields.crawl === 'number' ? String(fields.crawl) : fields.crawl
    return {
      from: 'data',
      data: reader.text(fields, 'data', 'web'),
      crawl: reader.text({ crawl }, 'crawl', 'web') || null,
    }
  }
  reader.refuseUnknown(fields, ['seeds', 'pages'], 'web')
  const seeds = reader.texts(fields, 'seeds', [], 'web')
  if (seeds.length === 0) reader.note('web', `${wanted}, not ${shown(web)}`)
  const pages = reader.whole(fields, 'pages', { min: 1, max: 10_000_000, preset: 1000 }, 'web')
  return { from: 'seeds', seeds, pages }
}

function factorsOf(fields: Fields, reader: PlanReader): Factor[] {
  const written = Object.entries(reader.object(fields.factors ?? {}, 'factors'))
  return written.map(([name, value]) => {
    const at = `factors.${name}`
    const list: readonly unknown[] = Array.isArray(value) ? value : []
    if (list.length === 0) reader.note(at, `needs a list of levels, not ${shown(value)}`)
    const levels = list.map((level, number) => levelOf(name, level, `${at}[${number}]`, reader))
    const labels = levels.map(({ label }) => label)
    const twice = labels.find((label, number) => labels.indexOf(label) < number)
    if (twice !== undefined) reader.note(at, `has two levels ${shown(twice)}`)
    return { name, levels }
  })
}

/** A value; `{label, set}` for several options at once; or a topic in its parts. */
function levelOf(factor: string, level: unknown, at: string, reader: PlanReader): Level {
  if (!isObject(level)) return { label: String(level), set: renamed({ [factor]: level }) }
  const label = reader.text(level, 'label', at)
  if (label === '') reader.note(`${at}.label`, 'is missing: tables need a name for it')
  if (factor === 'topic' && level.set === undefined) {
    reader.refuseUnknown(level, ['label', ...TOPIC_FIELDS], at)
    const { words, label: _label, ...rest } = level
    return { label, set: { ...rest, ...(words !== undefined && { topic: words }) } }
  }
  reader.refuseUnknown(level, ['label', 'set'], at)
  return { label, set: renamed(reader.object(level.set, `${at}.set`)) }
}

function renamed(choices: Fields): Choices {
  return Object.fromEntries(
    Object.entries(choices).map(([name, value]) => [OTHER_NAMES[name] ?? name, value]),
  )
}

function baselineOf(
  fields: Fields,
  factors: readonly Factor[],
  reader: PlanReader,
): Record<string, string> {
  const written = Object.entries(reader.object(fields.baseline ?? {}, 'baseline'))
  return Object.fromEntries(
    written.map(([name, value]) => {
      const factor = factors.find((known) => known.name === name)
      const labels = factor?.levels.map(({ label }) => label) ?? []
      const at = `baseline.${name}`
      if (factor === undefined) reader.note(at, 'is no factor of this plan')
      else if (!labels.includes(String(value)))
        reader.note(at, `needs one of ${labels.join(', ')}, not ${shown(value)}`)
      return [name, String(value)]
    }),
  )
}

function modelsOf(fields: Fields, reader: PlanReader): ModelSettings {
  const importance = reader.texts(fields, 'importance', ['pagerank', 'backlinks'])
  for (const [at, metric] of importance.entries()) {
    const problem = metricProblem(metric)
    if (problem !== null) reader.note(`importance[${at}]`, problem)
  }
  const written = reader.texts(fields, 'threshold', ['1%'])
  const thresholds = written.flatMap((text, at): Threshold[] => {
    const [, of, least] = /^(.+?)\s*>=\s*(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (of !== undefined) {
      if (!importance.includes(of)) {
        reader.note(`threshold[${at}]`, `${shown(of)} is not listed as importance`)
      }
      return [{ of, least: Number(least) }]
    }
    const share = reader.share(text, `threshold[${at}]`, 'a share such as 1%, or backlinks>=10')
    return share === null ? [] : [{ share }]
  })
  return {
    importance,
    thresholds,
    stops: reader.shares(fields, 'stop', ['5%', '10%', '20%', '50%']),
    buffers: reader.shares(fields, 'buffer', ['10%']),
  }
}

function metricProblem(metric: string): string | null {
  if (metric === FORWARD_LINKS) return null
  try {
    decodeImportance(metric)
    return null
  } catch (error) {
    return error instanceof Error ? `${error.message}; or ${FORWARD_LINKS}` : String(error)
  }
}

function tablesOf(fields: Fields, factors: readonly Factor[], reader: PlanReader): TablePlan[] {
  return reader.list(fields, 'tables').map((entry, number) => {
    const at = `tables[${number}]`
    const table = reader.object(entry, at)
    reader.refuseUnknown(table, ['name', 'title', 'rows', 'across', 'columns'], at)
    const across = reader.text(table, 'across', at) || null
    const rows = reader.texts(table, 'rows', variedOf(factors, across), at)
    refuseNoFactor([...rows, ...(across === null ? [] : [across])], factors, at, reader)
    const columns = reader.texts(table, 'columns', [], at).map(refOf)
    if (columns.length === 0) reader.note(`${at}.columns`, 'needs measures such as "pages"')
    const name = nameOf(table, `table-${number + 1}`, at, reader)
    return { name, title: reader.text(table, 'title', at) || name, rows, across, columns }
  })
}

function figuresOf(fields: Fields, factors: readonly Factor[], reader: PlanReader): FigurePlan[] {
  return reader.list(fields, 'figures').map((entry, number) => {
    const at = `figures[${number}]`
    const figure = reader.object(entry, at)
    reader.refuseUnknown(figure, ['name', 'title', 'curve', 'bars', 'lines'], at)
    const lines = reader.texts(figure, 'lines', variedOf(factors, null), at)
    refuseNoFactor(lines, factors, at, reader)
    const [curve = '', ...of] = reader.text(figure, 'curve', at).split('/')
    const bars = reader.text(figure, 'bars', at)
    if ((curve === '') === (bars === '')) {
      reader.note(at, 'needs a curve, such as "pages", or bars of a measure')
    }
    const name = nameOf(figure, `figure-${number + 1}`, at, reader)
    const title = reader.text(figure, 'title', at) || name
    return { ...{ name, title, curve, lines, of: of.join('/') }, bars: bars ? refOf(bars) : null }
  })
}

/** It becomes the name of a file. */
function nameOf(fields: Fields, preset: string, at: string, reader: PlanReader): string {
  const name = reader.text(fields, 'name', at) || preset
  if (!/^[a-z0-9][a-z0-9-]{0,60}$/.test(name)) {
    reader.note(`${at}.name`, `needs small letters, digits and hyphens, not ${shown(name)}`)
  }
  return name
}

function variedOf(factors: readonly Factor[], without: string | null): string[] {
  const others = factors.filter(({ name }) => name !== without)
  const varied = others.filter(({ levels }) => levels.length > 1)
  return (varied.length > 0 ? varied : others.slice(0, 1)).map(({ name }) => name)
}

function refuseNoFactor(
  names: readonly string[],
  factors: readonly Factor[],
  at: string,
  reader: PlanReader,
): void {
  for (const name of names) {
    if (!factors.some((factor) => factor.name === name))
      reader.note(at, `${shown(name)} is no factor of this plan`)
  }
}

/** `p_cs/pagerank@20%`. */
export function refOf(text: string): MeasureRef {
  const [, measure = '', of = '', at = ''] =
    /^([^/@]+)(?:\/([^@]*))?(?:@(.*))?$/.exec(text.trim()) ?? []
  return { measure, of, at }
}

/** A replay has no network and no processes. */
const REAL_ONLY = ['bandwidth', 'bandwidthPerConnection', 'latency', 'scouters', 'parserThreads']

function refuseForReplays({ options, factors, maps, sites, web }: Plan, reader: PlanReader): void {
  const refuse = (at: string, choices: Choices): void => {
    for (const name of REAL_ONLY) {
      if (Object.hasOwn(choices, name))
        reader.note(at, `${name} needs real crawls: "kind": "crawl"`)
    }
  }
  refuse('options', options)
  for (const { name, levels } of factors) {
    for (const { set } of levels) refuse(`factors.${name}`, set)
  }
  if (maps) reader.note('maps', 'need real crawls: "kind": "crawl"')
  if (sites) reader.note('sites', 'need real crawls: "kind": "crawl"')
  if (web.from === 'hosts') {
    const names = SAMPLE_NAMES.map((name) => `"${name}"`).join(', ')
    reader.note('web.hosts', `needs real crawls; to be replayed there is "sample": ${names}`)
  }
}
