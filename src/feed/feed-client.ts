// Listens to a feed: connects, requests the changes after a cursor, and reconnects when the connection
// breaks, each time after a longer wait.
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../lib/backoff.ts'
import {
  decodeMessage,
  type FeedMessage,
  feedSocketAt,
  LineCutter,
  MAX_MESSAGE_BYTES,
} from './feed-protocol.ts'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 2000

type FeedClientOptions = {
  readonly path: string
  /** The cursor to continue from; read at each connection. */
  readonly after: () => number
  readonly onMessage: (told: FeedMessage) => void
  /** Stops the client. */
  readonly signal: AbortSignal
}

/** Runs until the signal; never rejects. */
export async function followFeed(options: FeedClientOptions): Promise<void> {
  const { signal } = options
  let failures = 0
  while (!signal.aborted) {
    const told = await listen(options).catch(() => 0)
    failures = told > 0 ? 1 : failures + 1
    const waitMs = backoffMs(failures, { baseMs: FIRST_WAIT_MS, capMs: LONGEST_WAIT_MS })
    await pause(waitMs, undefined, { signal }).catch(() => {})
  }
}

/** Reads until the connection breaks; returns the number of messages. */
async function listen({ path, after, onMessage, signal }: FeedClientOptions): Promise<number> {
  const socket = await connected(feedSocketAt(path))
  const leave = () => socket.destroy()
  signal.addEventListener('abort', leave, { once: true })
  try {
    if (signal.aborted) return 0
    socket.write(`${JSON.stringify({ after: after() })}\n`)
    return await hear(socket, onMessage)
  } finally {
    signal.removeEventListener('abort', leave)
    socket.destroy()
  }
}

async function hear(socket: Socket, onMessage: (told: FeedMessage) => void): Promise<number> {
  let count = 0
  const lines = new LineCutter(MAX_MESSAGE_BYTES)
  for await (const bytes of socket) {
    for (const line of lines.push(bytes)) {
      const told = line === null ? null : decodeMessage(line)
      // The server speaks another protocol.
      if (told === null) return count
      count++
      onMessage(told)
    }
  }
  return count
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // A later error ends the stream of lines.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
