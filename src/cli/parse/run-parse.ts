// `jelajah parse`: shows what the parser sees in one page, for people who tune it or report about it.
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { InvalidInput } from '../../core/errors.ts'
import type { CrawlSettings } from '../../core/job.ts'
import { isPart, PARTS, type PartChoice } from '../../core/page.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../core/url.ts'
import { type NoPage, refusalText } from '../../crawl/refusal-text.ts'
import { openFetcher } from '../../http/fetcher.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { showSeconds } from '../../lib/format.ts'
import { errorCode } from '../../lib/present.ts'
import { readAtMost } from '../../lib/read-lines.ts'
import { safeLines, safeText } from '../../lib/terminal.ts'
import { seedUrl } from '../../options/seeds.ts'
import { partsOf } from '../../options/values.ts'
import type { FieldReader } from '../../parser/fields/field-reader.ts'
import { fileHeaders } from '../../parser/media-type.ts'
import { createPageParser, openFields, type PageParser } from '../../parser/parse-page.ts'
import { fetchOnePage, type Hop } from '../../scouter/page-without-crawl.ts'
import { isReadable } from '../../scouter/response.ts'
import type { HandoverHead } from '../../wire/handover.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { COLOURED, PLAIN } from '../table.ts'

import { type PageView, pageText, parsedJson } from './print-page.ts'

export type ParseSource =
  | { readonly kind: 'url'; readonly url: CanonicalUrl }
  | { readonly kind: 'stdin' }
  /** `path` is absolute, `name` as it was written. */
  | { readonly kind: 'file'; readonly path: string; readonly name: string }

export type ParseOptions = {
  readonly source: ParseSource
  /** The address that a file's relative links start from; null: one is made up. */
  readonly url: CanonicalUrl | null
  /** What a file's server would have said; null: guessed. */
  readonly contentType: string | null
  /** Those a fetch and the parser need are chosen, the rest are defaults. */
  readonly settings: CrawlSettings
  /** Null: all of them as JSON, and none is listed in the view for people. */
  readonly parts: readonly PartChoice[] | null
  readonly json: boolean
  readonly markdown: boolean
  readonly warnings: readonly string[]
}

/** A pause of the usual length needs no word. */
const LONG_WAIT_MS = 3_000

export async function runParse(
  options: ParseOptions,
  out: Output,
  deps: Partial<ParseDeps> & { readonly colours?: boolean } = {},
): Promise<ExitCode> {
  for (const warning of options.warnings) out.warn(`warning: ${safeText(warning)}\n`)
  const input = await readParseInput(options, {
    stdin: () => process.stdin,
    onWait: (host, forMs) => {
      if (forMs < LONG_WAIT_MS) return
      out.warn(`${host} asks for a pause: waiting ${showSeconds(forMs / 1000)}\n`)
    },
    ...deps,
  })
  if (!input.ok) return refuse(input, out)
  const { head, name, redirects, addressAssumed } = input
  const { fields: rules } = options.settings
  const fields = await openFields(rules === null ? {} : { fields: rules })
  const parsed = parserFor(options, fields)(head, input.body)
  if (parsed.outcome !== 'page') {
    const reason = 'reason' in parsed ? parsed.reason : parsed.outcome
    return refuse({ at: name, reason, redirects }, out)
  }
  const { page } = parsed
  if (fields !== null && page.parts.fields === undefined) {
    const why = fields.hasRuleFor(page.fields.url)
      ? 'no field has a value'
      : 'no rule is for this URL'
    out.warn(`jelajah: --fields: ${why}\n`)
  }
  const markdown = options.markdown ? page.fields.markdown : null
  const view = { page, redirects, addressAssumed, markdown }
  await out.write(shown(view, options, deps.colours ?? false))
  return EXIT.done
}

function refuse(noPage: NoPage, out: Output): ExitCode {
  out.warn(`jelajah: ${safeText(refusalText(noPage))}\n`)
  return EXIT.error
}

/** The view for people counts all parts, whichever of them it lists. */
function parserFor(
  { json, parts, markdown, settings }: ParseOptions,
  fields: FieldReader | null,
): PageParser {
  const { maxBodyBytes, maxLinksBytes } = settings
  const wanted = json ? (parts ?? PARTS) : partsOf(['all', ...(parts ?? [])])
  const reading = { salt: 0, parts: wanted, keepHtml: false, maxBodyBytes, maxLinksBytes }
  return createPageParser({ ...reading, markdown, readsNoindex: true }, undefined, fields)
}

function shown(view: PageView, { json, parts }: ParseOptions, colours: boolean): string {
  if (json) return parsedJson(view)
  if (view.markdown !== null) return `${safeLines(view.markdown).trimEnd()}\n`
  return pageText(view, (parts ?? []).filter(isPart), colours ? COLOURED : PLAIN)
}

type ParseInput =
  | {
      readonly ok: true
      /** The file as it was named, or the URL. */
      readonly name: string
      readonly head: HandoverHead
      readonly body: Uint8Array
      readonly redirects: readonly Hop[]
      readonly addressAssumed: boolean
    }
  | (NoPage & { readonly ok: false })

type ParseDeps = {
  readonly stdin: () => Readable
  readonly clock?: Clock
  readonly onWait?: (host: string, forMs: number) => void
}

function readParseInput(options: ParseOptions, deps: ParseDeps): Promise<ParseInput> {
  const { source } = options
  if (source.kind === 'url') return fromUrl(source.url, options, deps)
  if (source.kind === 'stdin') return fromStream(deps.stdin(), 'stdin', options, deps)
  refuseUnreadable(source)
  return fromStream(createReadStream(source.path), source.name, options, deps)
}

async function fromUrl(
  url: CanonicalUrl,
  { settings }: ParseOptions,
  { clock = systemClock, onWait }: ParseDeps,
): Promise<ParseInput> {
  await using fetcher = openFetcher({ ...settings, trustedHosts: new Set([hostOf(url)]) })
  const waiting = onWait === undefined ? {} : { onWait }
  const page = await fetchOnePage(url, { fetcher, settings, clock, ...waiting })
  const { redirects } = page
  if (page.outcome !== 'fetched') {
    return { ok: false, at: page.url, reason: page.reason, redirects }
  }
  const { head, body } = page
  return { ok: true, name: page.url, head, body, redirects, addressAssumed: false }
}

async function fromStream(
  stream: Readable,
  name: string,
  { source, url, contentType, settings }: ParseOptions,
  { clock = systemClock }: ParseDeps,
): Promise<ParseInput> {
  const most = Math.max(settings.maxBodyBytes, settings.maxLinksBytes)
  const { bytes, truncated } = await readAtMost(stream, most).catch((error) => {
    throw new InvalidInput(name, `cannot be read: ${errorCode(error) || error}`)
  })
  if (bytes.byteLength === 0) return { ok: false, at: name, reason: 'empty', redirects: [] }
  const headers = fileHeaders(name, bytes)
  const type = contentType ?? headers.contentType
  if (!isReadable(type)) return { ok: false, at: name, reason: `type: ${type}`, redirects: [] }
  const head: HandoverHead = {
    kind: 'page',
    id: 0,
    token: 0,
    url: url ?? assumedUrl(source.kind === 'file' ? source.path : name),
    depth: 0,
    status: 200,
    contentType: type,
    contentEncoding: headers.contentEncoding,
    robotsTag: [],
    etag: '',
    lastModified: '',
    fetchedAt: clock.now(),
    fetchMs: 0,
    truncated,
  }
  return { ok: true, name, head, body: bytes, redirects: [], addressAssumed: url === null }
}

/** A page needs an address on the web; this one is no one's, and does not look like a front page. */
function assumedUrl(path: string): CanonicalUrl {
  const name = encodeURIComponent(basename(path).toWellFormed())
  const url = canonicalise(`http://localhost/${name}`)
  if (url === null) throw new InvalidInput(path, 'makes no URL; give one with --url')
  return url
}

function refuseUnreadable({ path, name }: Extract<ParseSource, { kind: 'file' }>): void {
  try {
    if (!statSync(path).isDirectory()) return
  } catch (error) {
    const code = errorCode(error) || error
    if (code !== 'ENOENT') throw new InvalidInput(name, `cannot be read: ${code}`)
    const url = /\.(?:x?html?|txt|gz)$/i.test(name) ? null : seedUrl(name)
    const hint = url === null ? '' : `; for the page on the web write ${url}`
    throw new InvalidInput(name, `there is no such file${hint}`)
  }
  throw new InvalidInput(name, 'is a folder; give one file')
}
