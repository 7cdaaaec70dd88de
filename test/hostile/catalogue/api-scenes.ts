// Requests as no browser would let a test make them, and a server behind a token.
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Served, startServer } from '../../e2e/serving.ts'
import type { Stage } from '../stage.ts'

export type Answered = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}
export type Asked = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export async function askRaw(server: Served, asked: Asked): Promise<Answered> {
  const { method = 'GET', path = '/crawl', headers = {}, body = '' } = asked
  const { hostname, port, host } = new URL(server.url)
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const options = {
    host: hostname,
    port,
    method,
    path,
    agent: false,
    headers: { host, ...headers },
  }
  const sent = request(options, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
    )
  })
  // Whoever refuses a large body may hang up before it has all of it.
  sent.on('error', (error) => reject(error)).end(body)
  return promise
}

/** Writes exactly this; what came back. */
export async function rawRequest(server: Served, text: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  return await new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'))
    const end = (): void => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(3000, end)
    socket
      .on('error', end)
      .on('close', end)
      .on('data', (piece) => {
        answer += piece.toString('latin1')
        if (answer.includes('\r\n\r\n')) end()
      })
  })
}

export function lockedServer(stage: Stage): Promise<Served> {
  return stage.keep('locked server', () =>
    startServer(join(stage.folder, 'locked'), ['--token', 'a-token-of-some-length']),
  )
}
