// What scripts are made of: honest answers and the tools for dishonest ones. All are bounded, so that a client
// without limits ends too.
import type { Socket } from 'node:net'
import type { Request, Script } from './request.ts'

const MAX_BYTES = 256 * 1024 * 1024
const MAX_DRIPS = 2000

export const OK = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'
export const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`
const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'Moved Permanently',
  302: 'Found',
  404: 'Not Found',
  503: 'Service Unavailable',
}

export type AnswerOptions = {
  readonly status?: number
  readonly type?: string | null
  /** Lines, each with its end. */
  readonly headers?: string
}

/** A whole answer with the right length. */
export function answer(body: string | Uint8Array, options: AnswerOptions = {}): Buffer {
  const { status = 200, type = 'text/html; charset=utf-8', headers = '' } = options
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const typeLine = type === null ? '' : `content-type: ${type}\r\n`
  const head = `HTTP/1.1 ${status} ${STATUS_TEXT[status] ?? 'Status'}\r\n${typeLine}${headers}content-length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** The same answer to every request; in a page the nonce tells which answer it was. */
export function page(
  body: string | Uint8Array | ((request: Request) => string),
  options: AnswerOptions = {},
): Script {
  return (socket, request) => {
    const text = typeof body === 'function' ? body(request) : body
    const isHtml = typeof text === 'string' && (options.type ?? 'text/html').startsWith('text/html')
    const marked = isHtml ? `${text}<!--nonce:${request.nonce}-->` : text
    socket.write(answer(marked, options))
  }
}

/** Writes exactly this. Texts are bytes as Latin-1. */
export function say(...parts: readonly (string | Uint8Array)[]): Script {
  return (socket) => {
    for (const part of parts) {
      socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)
    }
  }
}

export function sayAndClose(...parts: readonly (string | Uint8Array)[]): Script {
  const words = say(...parts)
  return (socket, request) => {
    words(socket, request)
    socket.end()
  }
}

/** Writes the first part, then the second over and over as fast as it goes. */
export function flood(first: string, again: string | Uint8Array): Script {
  const unit = typeof again === 'string' ? Buffer.from(again, 'latin1') : Buffer.from(again)
  const piece = Buffer.concat(Array(Math.ceil(65_536 / unit.length)).fill(unit))
  return (socket) => {
    socket.write(first, 'latin1')
    let left = MAX_BYTES
    const pour = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= piece.length
        if (!socket.write(piece)) {
          socket.once('drain', pour)
          return
        }
      }
      socket.destroy()
    }
    pour()
  }
}

/** Writes the first part, then the second again and again, slowly. */
export function drip(first: string, again: string, everyMs = 100): Script {
  return (socket) => {
    socket.write(first, 'latin1')
    let left = MAX_DRIPS
    const timer = setInterval(() => {
      left -= 1
      if (left > 0 && !socket.destroyed) socket.write(again, 'latin1')
      else socket.destroy()
    }, everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}

export function redirect(location: string, status = 302): Script {
  return say(`HTTP/1.1 ${status} Found\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`)
}

export const robots = (...lines: readonly string[]): Script =>
  page(`${lines.join('\n')}\n`, { type: 'text/plain' })

export const silence: Script = () => {}
export const hangUp: Script = (socket: Socket) => void socket.end()
export const reset: Script = (socket: Socket) => void socket.resetAndDestroy()
export const notFound: Script = page('<title>nothing here</title>', { status: 404 })

export type Paths = Readonly<Record<string, Script | string>>

/** A host with these paths (by target, then by path without query; `*` is any other); a text is a page of HTML. */
export function site(paths: Paths): Script {
  return (socket, request) => {
    const { target } = request
    const found = paths[target] ?? paths[target.split('?')[0] ?? ''] ?? fallback(paths, target)
    const script = typeof found === 'string' ? page(found) : found
    script(socket, request)
  }
}

function fallback(paths: Paths, target: string): Script | string {
  // Without robots.txt and sitemaps of its own a host has none.
  if (/^\/(?:robots\.txt|sitemap[^/]*|favicon\.ico)$/.test(target)) return notFound
  return paths['*'] ?? notFound
}

/** Has no robots.txt and does this to every other request. */
export function misbehave(script: Script): Script {
  return site({ '*': script })
}

export function links(...urls: readonly string[]): string {
  return urls.map((url) => `<a href="${url.replaceAll('"', '&quot;')}">link</a> `).join('')
}

/** A page that is unlike others: its title and some words that only it has. */
export function article(title: string, more = ''): string {
  const words = Array.from({ length: 40 }, (_, n) => `${title.replace(/\W/g, '')}${n}`).join(' ')
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${words}</p>${more}`
}

export function many(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join('')
}
