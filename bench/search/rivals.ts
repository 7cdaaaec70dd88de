// Indexes of others, over the same pages, for the same ten best: plain FTS5, and Tantivy by its binding for Node
// on Linux x64. Each answers with the number of matches, but without facets, folding and snippets.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BATCH, batchFrom } from './scale-queries.ts'

/** Each page is there `times`, under other numbers. */
export type Amount = { readonly pages: number; readonly times: number }

export type Rival = {
  readonly name: string
  /** Makes its index, unless it is there; returns ms of CPU per page, null if it was there. */
  fill(amount: Amount): number | null
  /** After `fill`. */
  open(): (text: string) => void
  bytes(): number
}

export function fts5(folder: string): Rival {
  const path = join(folder, 'fts5.db')
  return {
    name: 'FTS5',
    fill(amount) {
      if (existsSync(path)) return null
      using db = new DatabaseSync(path)
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        CREATE VIRTUAL TABLE words USING fts5(title, text, content = '', tokenize = 'porter ascii')`)
      const insert = db.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)')
      return cpuPerPage(amount, (batch) => {
        db.exec('BEGIN')
        for (const { id, title, text } of batch) insert.run(id, title, text)
        db.exec('COMMIT')
      })
    },
    open() {
      const db = new DatabaseSync(path, { readOnly: true })
      const best = db.prepare(
        'SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words, 10, 1) LIMIT 10',
      )
      const all = db.prepare('SELECT count(*) FROM words WHERE words MATCH ?')
      return (text) => {
        const { bare, isAny, words } = asked(text)
        const query = (isAny ? words.join(' OR ') : bare).replace('title:', 'title : ')
        best.all(query)
        all.get(query)
      }
    },
    bytes: () => statSync(path).size,
  }
}

const HERE = import.meta.dirname
const PACKAGE = '@oxdev03/node-tantivy-binding-linux-x64-gnu'
const HEAP = 500_000_000

/** What is used of the binding. */
type Tantivy = {
  SchemaBuilder: new () => {
    addTextField(name: string, options: object): void
    addUnsignedField(name: string, options: object): void
    build(): Schema
  }
  Index: (new (
    schema: Schema,
    path: string,
    reuse: boolean,
  ) => TantivyIndex) & {
    open(path: string): TantivyIndex
  }
  Document: new () => {
    addText(field: string, text: string): void
    addUnsigned(field: string, value: number): void
  }
  Query: { regexQuery(schema: Schema, field: string, pattern: string): object } & {
    booleanQuery(clauses: readonly { readonly occur: number; readonly query: object }[]): object
  }
  Occur: { Must: number; Should: number }
}
type Schema = { readonly kind: 'schema' }
type TantivyIndex = {
  readonly schema: Schema
  writer(
    heap: number,
    threads: number,
  ): { addDocument(page: object): void; commit(): void; waitMergingThreads(): void }
  parseQuery(text: string, fields: readonly string[], boosts: object): object
  searcher(): { search(query: object, limit: number, count: boolean): { count: number } }
}

/** Null if it cannot be had here. */
export function tantivy(folder: string): Rival | null {
  const binding = installed()
  if (binding === null) return null
  const path = join(folder, 'tantivy')
  return {
    name: 'Tantivy',
    fill(amount) {
      if (existsSync(path)) return null
      mkdirSync(path)
      const writer = new binding.Index(schemaOf(binding), path, false).writer(HEAP, 1)
      const each = cpuPerPage(amount, (batch) => {
        for (const { id, title, text } of batch) {
          const page = new binding.Document()
          page.addText('title', title)
          page.addText('text', text)
          page.addUnsigned('id', id)
          writer.addDocument(page)
        }
      })
      const before = process.cpuUsage()
      writer.commit()
      writer.waitMergingThreads()
      return each + since(before) / (amount.pages * amount.times)
    },
    open() {
      const index = binding.Index.open(path)
      const searcher = index.searcher()
      return (text) => void searcher.search(tantivyQuery(binding, index, text), 10, true)
    },
    bytes: () => readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0),
  }
}

function schemaOf(binding: Tantivy): Schema {
  const builder = new binding.SchemaBuilder()
  const words = { stored: false, tokenizerName: 'en_stem', indexOption: 'position' }
  builder.addTextField('title', words)
  builder.addTextField('text', words)
  builder.addUnsignedField('id', { stored: true, indexed: false, fast: true })
  return builder.build()
}

function tantivyQuery(binding: Tantivy, index: TantivyIndex, text: string): object {
  const { bare, isAny, words } = asked(text)
  if (bare.includes('*')) {
    const one = (field: string, word: string) =>
      binding.Query.regexQuery(
        index.schema,
        field,
        word.endsWith('*') ? `${word.slice(0, -1)}.*` : word,
      )
    const { Must, Should } = binding.Occur
    const either = (word: string) =>
      binding.Query.booleanQuery([
        { occur: Should, query: one('title', word) },
        { occur: Should, query: one('text', word) },
      ])
    return binding.Query.booleanQuery(words.map((word) => ({ occur: Must, query: either(word) })))
  }
  const needed = /["]| OR |:/.test(bare) || isAny ? bare : words.map((word) => `+${word}`).join(' ')
  return index.parseQuery(needed, ['title', 'text'], { title: 3 })
}

function installed(): Tantivy | null {
  const require = createRequire(import.meta.url)
  try {
    if (!existsSync(join(HERE, 'node_modules', PACKAGE))) {
      process.stderr.write('Installing Tantivy into bench/search/node_modules …\n')
      const options = ['--no-audit', '--no-fund', '--loglevel=error']
      execFileSync('npm', ['ci', ...options], { cwd: HERE, timeout: 300_000 })
    }
    return require(PACKAGE)
  } catch (error) {
    process.stdout.write(`Without Tantivy: ${error instanceof Error ? error.message : error}\n`)
    return null
  }
}

/** As we ask it: pages with all words, or of more than four, with some. */
function asked(text: string) {
  const words = text.split(' ')
  return { bare: text, words, isAny: words.length > 4 && !/[":]|OR/.test(text) }
}

type Entry = { readonly id: number; readonly title: string; readonly text: string }

function cpuPerPage({ pages, times }: Amount, add: (batch: readonly Entry[]) => void): number {
  let cpuMs = 0
  for (let first = 1; first <= pages; first += BATCH) {
    const batch = batchFrom(first, pages)
    const before = process.cpuUsage()
    for (let nth = 0; nth < times; nth++) {
      add(
        batch.map(({ id, title, contentText }) => ({
          ...{ id: id + nth * pages, title, text: contentText },
        })),
      )
    }
    cpuMs += since(before)
  }
  return cpuMs / (pages * times)
}

/** CPU ms. */
export function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
