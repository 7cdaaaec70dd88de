// What `jelajah parse` is given, as the parser takes it: a file and stdin as if a server had sent them,
// a URL by one polite fetch.
import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { InvalidInput } from '../../core/errors.ts'
import { type CanonicalUrl, canonicalise, hostOf } from '../../core/url.ts'
import type { NoPage } from '../../crawl/refusal-text.ts'
import { openFetcher } from '../../http/fetcher.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { readAtMost } from '../../lib/read-at-most.ts'
import { seedUrl } from '../../options/seeds.ts'
import { fileHeaders } from '../../parser/file-type.ts'
import { fetchOnePage, type Hop } from '../../scouter/one-page.ts'
import { isReadable } from '../../scouter/response.ts'
import type { HandoverHead } from '../../wire/handover.ts'
import type { ParseOptions, ParseSource } from './parse-command.ts'

export type ParseInput =
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

export type ParseDeps = {
  readonly stdin: () => Readable
  readonly clock?: Clock
  readonly onWait?: (host: string, forMs: number) => void
}

export function readParseInput(options: ParseOptions, deps: ParseDeps): Promise<ParseInput> {
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
    throw new InvalidInput(name, `cannot be read: ${codeOf(error)}`)
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
    const code = codeOf(error)
    if (code !== 'ENOENT') throw new InvalidInput(name, `cannot be read: ${code}`)
    const url = /\.(?:x?html?|txt|gz)$/i.test(name) ? null : seedUrl(name)
    const hint = url === null ? '' : `; for the page on the web write ${url}`
    throw new InvalidInput(name, `there is no such file${hint}`)
  }
  throw new InvalidInput(name, 'is a folder; give one file')
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
