// Compares the parser of this checkout with that of another one, page by page and field by field: a change
// that only makes it quicker changes no result. Reads real pages, and the same pages with random damage.
//
//   sh scripts/node bench/golden.ts --against ../other-checkout [--fuzz 20000] [--seed 1] [folder …]
//
// Without folders it reads the documentation packages (crawl/webs.ts). It prints the pages that differ, and fails.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { PARTS } from '../src/core/page.ts'
import { canonicalise } from '../src/core/url.ts'
import { createPageParser, type PageParser } from '../src/parser/parse-page.ts'
import type { ParseResult } from '../src/parser/parse-result.ts'
import type { HandoverHead } from '../src/wire/handover.ts'
import { createRandom } from '../test/html/mutate.ts'
import { mutant } from '../test/html/mutate-bytes.ts'
import { documentationRoot } from './crawl/webs.ts'
import { htmlBelow } from './page-files.ts'

const OPTIONS = {
  ...{ salt: 1, parts: PARTS, keepHtml: false, maxBodyBytes: 16 << 20, markdown: true },
}
const SHOWN = 10
/** A damaged copy of a giant page says little more than one of a usual page. */
const MAX_BYTES = 120_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    fuzz: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
})
if (values.against === undefined) throw new Error('name the other checkout: --against FOLDER')

const ours = createPageParser(OPTIONS)
const theirs = await parserOf(values.against)
const folders = positionals.length > 0 ? positionals : [documentationRoot()]
const files = folders.flatMap(htmlBelow)
let different = 0
for (const [at, file] of files.entries())
  compare(file, `http://site${at % 7}.test${file}`, bytesOf(file))
const fuzz = Number(values.fuzz)
for (let at = 0; at < fuzz; at++) {
  const seed = Number(values.seed) * 1_000_003 + at
  const random = createRandom(seed)
  const [file, other] = [files[random(files.length)], files[random(files.length)]]
  const { body } = mutant(bytesOf(file).subarray(0, MAX_BYTES), bytesOf(other), random)
  compare(`${file} with damage ${seed}`, `http://fuzz.test/${at}.html`, body)
}
process.stdout.write(`${files.length} pages and ${fuzz} damaged ones: ${different} differ\n`)
process.exitCode = different > 0 ? 1 : 0

async function parserOf(checkout: string): Promise<PageParser> {
  const path = resolve(checkout, 'src/parser/parse-page.ts')
  const other: { createPageParser: typeof createPageParser } = await import(
    pathToFileURL(path).href
  )
  return other.createPageParser(OPTIONS)
}

function bytesOf(file = ''): Buffer {
  return readFileSync(file)
}

function compare(name: string, address: string, body: Uint8Array): void {
  const [a, b] = [ours, theirs].map((parse) => fieldsOf(parse(headOf(address), body)))
  if (a === undefined || b === undefined) return
  const names = [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key))
  if (names.length === 0) return
  different++
  if (different <= SHOWN) process.stdout.write(`${name}: ${names.join(', ')}\n`)
}

/** Every field as text; how long the parse took is no result. */
function fieldsOf(parsed: ParseResult): Map<string, string> {
  const fields = new Map<string, string>()
  const add = (prefix: string, values: object): void => {
    for (const [key, value] of Object.entries(values)) {
      if (key !== 'parseMs') fields.set(`${prefix}${key}`, textOf(value))
    }
  }
  add('', parsed)
  if (parsed.outcome !== 'page') return fields
  fields.delete('page')
  add('page.', parsed.page.fields)
  add('parts.', parsed.page.parts)
  return fields
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return (
    JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? ''
  )
}

function headOf(address: string): HandoverHead {
  const url = canonicalise(address)
  if (url === null) throw new Error(`${address} is no URL`)
  return {
    ...{ kind: 'page', id: 1, token: 1, url, depth: 0, status: 200, contentType: 'text/html' },
    ...{ contentEncoding: '', robotsTag: [], etag: '', lastModified: '', truncated: false },
    ...{ fetchedAt: 1_700_000_000_000, fetchMs: 0 },
  } as const
}
