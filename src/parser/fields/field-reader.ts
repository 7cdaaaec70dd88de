// Takes the fields of a page by the rules of a crawl. Only pages whose URL matches a rule cost anything: their
// elements are read into a table, and all selectors are matched in one go over it.
import {
  type FieldGroup,
  type FieldRow,
  type FieldRule,
  type FieldRules,
  type FieldType,
  fieldsJson,
} from '../../core/field-rules.ts'
import { compileGlob, type UrlGlob } from '../../core/glob.ts'
import { type CanonicalUrl, hostOf } from '../../core/url.ts'
import { JsonLdNodes, type JsonPath, readJsonPath } from '../../fields/json-path.ts'
import { readSelectors } from '../../fields/selector.ts'
import { parseJsonLd } from '../about/json-ld-text.ts'
import { isMonthFirst } from '../about/written-date.ts'
import { ELEMENT } from '../html/html-names.ts'
import type { HtmlReading } from '../html/html-reading.ts'
import { ElementReader } from './element-reader.ts'
import { ElementText } from './element-text.ts'
import { hasDecimalComma, typedValue, type ValueHabits, valueOfJson } from './field-value.ts'
import { type Matches, matchSelectors } from './selector-matcher.ts'
import { SelectorProgram } from './selector-program.ts'
import { TagAttributes } from './tag-attributes.ts'

/** Values of one field; a field without `many` looks at so many elements for its one value. */
const MAX_VALUES = 1000
const MAX_TRIED = 50
/** Characters of one value, and of all values of a page. */
const MAX_VALUE = 20_000
const MAX_LONG_VALUE = 100_000
const MAX_PAGE = 500_000
/** Characters of elements that are read for all fields: those of nested elements are read again for each. */
const MAX_READ = 20_000_000
/** Programs that are kept; pages of one site need few. */
const MAX_PROGRAMS = 64

export type PageToRead = {
  readonly url: CanonicalUrl
  readonly reading: Pick<HtmlReading, 'source' | 'notes'>
  readonly isXml: boolean
  readonly resolve: ValueHabits['resolve']
}

export type PageFieldsRead = {
  /** As it is stored; null if the page has none. */
  readonly json: string | null
  /** A limit was reached. */
  readonly isCut: boolean
}

export const NO_FIELDS: PageFieldsRead = { json: null, isCut: false }

type Group = { readonly globs: readonly UrlGlob[] | null; readonly fields: readonly FieldRule[] }
type Source =
  | { readonly kind: 'selector'; readonly at: number }
  | { readonly kind: 'jsonld'; readonly path: JsonPath }
type Compiled = {
  readonly fields: readonly { readonly rule: FieldRule; readonly source: Source }[]
  readonly program: SelectorProgram
  /** Elements that are kept for each selector. */
  readonly limits: readonly number[]
}

/** For one thread; the rules were checked. */
export class FieldReader {
  readonly #groups: readonly Group[]
  readonly #programs = new Map<string, Compiled>()
  readonly #elements = new ElementReader()
  readonly #attributes = new TagAttributes(this.#elements.table, this.#elements.scanner)
  readonly #text = new ElementText(this.#elements.table, this.#elements.scanner)
  #toRead = MAX_READ

  constructor({ rules }: FieldRules) {
    this.#groups = rules.map(groupOf)
  }

  /** Whether a rule is for this page. */
  hasRuleFor(url: CanonicalUrl): boolean {
    return this.#programFor(url) !== null
  }

  read(page: PageToRead): PageFieldsRead {
    const program = this.#programFor(page.url)
    return program === null ? NO_FIELDS : this.#take(program, page)
  }

  #programFor(url: CanonicalUrl): Compiled | null {
    const groups = this.#groups.filter(({ globs }) => globs?.some((g) => g.matches(url)) ?? true)
    if (groups.length === 0) return null
    const key = groups.map((group) => this.#groups.indexOf(group)).join(' ')
    const known = this.#programs.get(key)
    if (known !== undefined) return known
    if (this.#programs.size >= MAX_PROGRAMS) this.#programs.clear()
    const compiled = compile(groups.flatMap(({ fields }) => fields))
    this.#programs.set(key, compiled)
    return compiled
  }

  #take({ fields, program, limits }: Compiled, page: PageToRead): PageFieldsRead {
    const { notes, source } = page.reading
    const habits: ValueHabits = {
      dates: { monthFirst: isMonthFirst(notes.language, hostOf(page.url)) },
      hasDecimalComma: hasDecimalComma(notes.language),
      resolve: page.resolve,
    }
    const matches = this.#match(program, limits, source, page.isXml)
    let { isCut } = matches
    let nodes: JsonLdNodes | null = null
    let room = MAX_PAGE
    this.#toRead = MAX_READ
    const rows = new Map<string, FieldRow>()
    for (const { rule, source: from } of fields) {
      // The first rule that finds something counts.
      if (hasValue(rows.get(rule.name))) continue
      const take = new ValueTaker(rule, room)
      if (from.kind === 'selector') {
        if (rule.many && matches.isFull[from.at]) isCut = true
        for (const id of matches.found[from.at] ?? []) {
          if (this.#toRead < 0) isCut = true
          if (this.#toRead < 0 || !take.add(this.#valueAt(id, rule, habits))) break
        }
      } else {
        nodes ??= new JsonLdNodes(notes.ldTexts.map(parseJsonLd))
        for (const value of nodes.find(from.path, MAX_VALUES + 1)) {
          const found = valueOfJson(rule.type ?? 'text', value, habits)
          if (!take.add(typeof found === 'string' ? found.slice(0, MAX_VALUE) : found)) break
        }
      }
      const row = take.row()
      room -= take.size
      if (take.isCut) isCut = true
      if (row !== null) rows.set(rule.name, row)
    }
    return { json: rows.size === 0 ? null : fieldsJson([...rows.values()]), isCut }
  }

  #match(
    program: SelectorProgram,
    limits: readonly number[],
    source: Buffer,
    isXml: boolean,
  ): Matches {
    if (program.steps.length === 0) return { found: [], isFull: [], isCut: false }
    const table = this.#elements.read(source, isXml)
    this.#attributes.forget()
    this.#text.forget()
    const page = { table, attributes: this.#attributes, text: this.#text }
    const matches = matchSelectors(program, page, limits)
    return { ...matches, isCut: matches.isCut || table.isCut }
  }

  #valueAt(id: number, { type = 'text', attribute }: FieldRule, habits: ValueHabits): unknown {
    const max = type === 'html' || type === 'json' ? MAX_LONG_VALUE : MAX_VALUE
    if (type === 'html') return this.#valueOf(type, this.#text.source(id, max).trim(), habits)
    const name = attribute ?? this.#usualAttribute(id, type)
    if (name !== null) {
      const value = this.#attributes.value(id, name)
      // A link without a target is none, whatever its text.
      if (value !== null || attribute !== undefined || type === 'url') {
        return value === null ? null : this.#valueOf(type, value.slice(0, max).trim(), habits)
      }
    }
    return this.#valueOf(type, this.#textOf(id, max), habits)
  }

  #valueOf(type: FieldType, text: string, habits: ValueHabits): unknown {
    this.#toRead -= text.length
    return typedValue(type, text, habits)
  }

  #textOf(id: number, max: number): string {
    const element = this.#elements.table.element[id] ?? 0
    const isCode = element === ELEMENT.script || element === ELEMENT.style
    return isCode ? this.#text.source(id, max).trim() : this.#text.of(id, max)
  }

  /** Where elements carry their value, if not in their text. */
  #usualAttribute(id: number, type: FieldRule['type']): string | null {
    const element = this.#elements.table.element[id] ?? 0
    if (element === ELEMENT.meta) return 'content'
    if (element === ELEMENT.input) return 'value'
    if (type === 'date' && element === ELEMENT.time) return 'datetime'
    if (type !== 'url') return null
    return URL_ATTRIBUTES.get(element) ?? null
  }
}

const URL_ATTRIBUTES = new Map<number, string>([
  [ELEMENT.a, 'href'],
  [ELEMENT.area, 'href'],
  [ELEMENT.link, 'href'],
  [ELEMENT.base, 'href'],
  [ELEMENT.img, 'src'],
  [ELEMENT.iframe, 'src'],
  [ELEMENT.embed, 'src'],
  [ELEMENT.source, 'src'],
  [ELEMENT.script, 'src'],
  [ELEMENT.video, 'src'],
  [ELEMENT.audio, 'src'],
  [ELEMENT.track, 'src'],
  [ELEMENT.form, 'action'],
])

/** Collects the values of one field within its limits. */
class ValueTaker {
  readonly #rule: FieldRule
  readonly #room: number
  readonly #values: unknown[] = []
  #tried = 0
  size = 0
  isCut = false

  constructor(rule: FieldRule, room: number) {
    this.#rule = rule
    this.#room = room
  }

  /** False when no more values are wanted. */
  add(value: unknown): boolean {
    this.#tried++
    // JSON can write numbers that are too large to be read as numbers.
    const isEndless = typeof value === 'number' && !Number.isFinite(value)
    if (value === null || value === undefined || isEndless) {
      return this.#rule.many || this.#tried < MAX_TRIED
    }
    const size = typeof value === 'string' ? value.length : JSON.stringify(value).length
    if (this.size + size > this.#room || this.#values.length >= MAX_VALUES) {
      this.isCut = true
      return false
    }
    this.#values.push(value)
    this.size += size
    return this.#rule.many === true
  }

  row(): FieldRow | null {
    const { name, many = false, type } = this.#rule
    if (many) return this.#values.length === 0 ? null : { name, value: this.#values, many }
    const [value] = this.#values
    // Yes or no has an answer also where nothing is found.
    if (value === undefined && type === 'boolean') return { name, value: false, many }
    return value === undefined ? null : { name, value, many }
  }
}

/** No is an answer, but a later rule may find a yes. */
function hasValue(row: FieldRow | undefined): boolean {
  return row !== undefined && row.value !== false
}

function groupOf({ match, fields }: FieldGroup): Group {
  return { globs: match?.map((glob) => compileGlob(glob)) ?? null, fields }
}

function compile(rules: readonly FieldRule[]): Compiled {
  const selected = rules.filter(({ selector }) => selector !== undefined)
  const fields = rules.map((rule): Compiled['fields'][number] => {
    const { jsonld } = rule
    const source: Source =
      jsonld === undefined
        ? { kind: 'selector', at: selected.indexOf(rule) }
        : { kind: 'jsonld', path: readJsonPath(jsonld) }
    return { rule, source }
  })
  const program = new SelectorProgram(selected.map(({ selector = '' }) => readSelectors(selector)))
  return { fields, program, limits: selected.map(({ many }) => (many ? MAX_VALUES : MAX_TRIED)) }
}
