// What the server answers: status, headers and body for a path of a host.
import { gzipSync } from 'node:zlib'
import { factsOf } from './facts.ts'
import { mix } from './random.ts'
import { renderPage } from './render.ts'
import { type Resource, resolve } from './resource.ts'
import { originAt, pageKey, type Site, type SiteHost } from './site.ts'
import { robotsTxt, sitemapIndexXml, sitemapXml } from './well-known.ts'

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export type Question = {
  readonly host: SiteHost
  readonly path: string
  /** The port by which the client knows the site; links are written with it. */
  readonly port: number
  readonly acceptsGzip: boolean
  readonly ifNoneMatch: string
  readonly ifModifiedSince: string
}

const HTML = 'text/html; charset=utf-8'
const NOTHING = Buffer.alloc(0)
const EDITED_AFTER_MS = 86_400_000

export function respond(site: Site, question: Question): Answer {
  const { host, path, port } = question
  const resource = resolve(site, host, path)
  switch (resource.type) {
    case 'page':
      return respondPage(site, question, resource.index)
    case 'guarded':
      return respondPage(site, question, resource.index)
    case 'moved':
      return redirect(resource, port)
    case 'missing':
      return missing(host, resource.status)
    case 'file':
      return text(resource.mediaType, resource.plain ? '%binary%\0\x01\x02' : '{"figures":[1,2,3]}')
    case 'robots':
      return text('text/plain; charset=utf-8', robotsTxt(host, port))
    case 'sitemap':
      return text(
        'application/xml',
        resource.index ? sitemapIndexXml(host, port) : sitemapXml(site, host, port),
      )
  }
}

function respondPage(site: Site, question: Question, index: number): Answer {
  const { host, port } = question
  const facts = factsOf(site, host, index)
  const edition = site.later.edited.has(pageKey(host, index)) ? 1 : 0
  const etag = `"${mix(host.key, index ^ port).toString(36)}${edition === 0 ? '' : '-2'}"`
  const modified = new Date(facts.publishedAt + edition * EDITED_AFTER_MS).toUTCString()
  const headers: Record<string, string> = {
    'content-type':
      facts.declared === 'header' ? `text/html; charset=${facts.charset}` : 'text/html',
    etag,
    'last-modified': modified,
    ...(facts.noindex === 'header' && { 'x-robots-tag': 'noindex' }),
    ...(host.gzip && { vary: 'accept-encoding' }),
  }
  if (isFresh(question, etag, modified)) return { status: 304, headers, body: NOTHING }
  const body = encode(renderPage(site, host, index, port), facts.charset)
  if (!host.gzip || !question.acceptsGzip) return { status: 200, headers, body }
  headers['content-encoding'] = 'gzip'
  return { status: 200, headers, body: gzipSync(body, { level: 1 }) }
}

function isFresh(
  { ifNoneMatch, ifModifiedSince }: Question,
  etag: string,
  modified: string,
): boolean {
  return ifNoneMatch === '' ? ifModifiedSince === modified : ifNoneMatch.includes(etag)
}

/** The accented letters of the word lists are at the same place in windows-1252 and Latin 1. */
function encode(html: string, charset: 'utf-8' | 'windows-1252'): Buffer {
  return Buffer.from(html, charset === 'utf-8' ? 'utf8' : 'latin1')
}

function redirect({ status, to }: Extract<Resource, { type: 'moved' }>, port: number): Answer {
  const location = originAt(to.host, port) + to.path
  const html = `<p>Moved: <a href="${location.replaceAll('&', '&amp;')}">here</a></p>\n`
  return { status, headers: { 'content-type': HTML, location }, body: Buffer.from(html) }
}

function missing(host: SiteHost, status: number): Answer {
  const html = `<!DOCTYPE html>\n<title>${status}</title>\n<p>${host.words.labels.broken}. <a href="/">${host.words.labels.home}</a></p>\n`
  return { status, headers: { 'content-type': HTML }, body: Buffer.from(html) }
}

function text(mediaType: string, body: string): Answer {
  return { status: 200, headers: { 'content-type': mediaType }, body: Buffer.from(body) }
}
