// Proxies: their addresses, tunnels through them, and rotation between them.
import type { Socket } from 'node:net'
import { InvalidInput } from '../core/errors.ts'
import { FaultError, ours, unwell } from './failure.ts'

export type WebProxy = {
  readonly hostname: string
  readonly port: number
  /** The connection to the proxy itself is encrypted. */
  readonly secure: boolean
  /** Value of `Proxy-Authorization`; null without credentials. Must never be shown. */
  readonly authorization: string | null
}

const MAX_ANSWER_BYTES = 16 * 1024
const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})/

/** Parses `http://user:password@host:port`. Its error message leaves credentials out. */
export function parseProxy(text: string): WebProxy {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InvalidInput('proxy', 'a proxy is given as http://host:port or https://host:port')
  }
  const secure = url.protocol === 'https:'
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    authorization: authorizationOf(url),
  }
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '') return null
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** Asks the proxy behind this socket for a connection to `authority`; rejects with a FaultError. */
export async function openTunnel(
  socket: Socket,
  authority: string,
  proxy: WebProxy,
): Promise<void> {
  const authorization = proxy.authorization
  const lines = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`]
  if (authorization !== null) lines.push(`proxy-authorization: ${authorization}`)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  const status = await answerOf(socket)
  if (status >= 200 && status < 300) return
  // 5xx means that the proxy could not reach the host; any other status is between the proxy and us.
  const detail = `the proxy answered ${status}`
  throw new FaultError(status >= 500 ? unwell('connect', detail) : ours(detail))
}

function answerOf(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let head = ''
    const done = (status: number): void => {
      socket.off('readable', onReadable).off('close', onClose)
      if (status > 0) resolve(status)
      else reject(new FaultError(ours('the proxy gave no answer we understand')))
    }
    const onClose = (): void => done(0)
    const onReadable = (): void => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        head += (chunk as Buffer).toString('latin1')
      }
      const end = head.indexOf('\r\n\r\n')
      if (end < 0 && head.length < MAX_ANSWER_BYTES) return
      // A TLS server waits for our hello, so nothing may follow the response.
      done(end === head.length - 4 ? Number(STATUS_LINE.exec(head)?.[1] ?? 0) : 0)
    }
    socket.on('readable', onReadable).on('close', onClose)
  })
}
