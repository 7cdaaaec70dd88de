// A client of the event streams: reads what comes, as a browser's EventSource would.
import { type ClientRequest, get, type IncomingMessage } from 'node:http'

export type HeardEvent = { readonly id: string; readonly name: string; readonly payload: unknown }

export class Listener implements Disposable {
  readonly events: HeardEvent[] = []
  status = 0
  /** True when the server ended the stream. */
  ended = false
  bytes = 0
  #text = ''
  #request: ClientRequest
  #response: IncomingMessage | null = null

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#request = get(url, { headers, agent: false }, (response) => {
      this.#response = response
      this.status = response.statusCode ?? 0
      response.setEncoding('utf8')
      response.on('data', (piece: string) => this.#take(piece))
      response.on('close', () => {
        this.ended = true
      })
    }).on('error', () => {
      this.ended = true
    })
  }

  /** Reads nothing more until told. */
  pause(): void {
    this.#response?.pause()
  }

  resume(): void {
    this.#response?.resume()
  }

  named(name: string): readonly HeardEvent[] {
    return this.events.filter((event) => event.name === name)
  }

  get pageIds(): readonly number[] {
    return this.named('page').map(({ payload }) => (payload as { id: number }).id)
  }

  [Symbol.dispose](): void {
    this.#request.destroy()
  }

  #take(piece: string): void {
    this.bytes += piece.length
    const blocks = `${this.#text}${piece}`.split('\n\n')
    this.#text = blocks.pop() ?? ''
    for (const block of blocks) this.#read(block)
  }

  #read(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const colon = line.indexOf(': ')
      if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2))
    }
    const written = fields.get('data')
    if (written === undefined) return
    const { id = '', event: name = '' } = Object.fromEntries(fields)
    this.events.push({ id, name, payload: JSON.parse(written) })
  }
}
