// Messages between the supervisor and its children, as JSON: they are small and rare.
import { CrawlerError } from '../core/errors.ts'
import type { HostState, UrlCounts } from '../core/host.ts'
import type { Harvest } from '../core/importance.ts'
import type { Job } from '../core/job.ts'
import type { Pair } from '../core/pair.ts'
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { type Connection, connectTo, FRAME_TYPES } from './connection.ts'

export type ToChild =
  /** First message to a child: its assignment, and where the scouter listens for the parser. */
  | {
      readonly type: 'start'
      readonly job: Job
      readonly workspace: WorkspaceUrl
      readonly pagesSocket: string
      readonly pair: Pair
    }
  /** To the scouter: the parser died. `killed`: by SIGKILL, which may come from outside. */
  | { readonly type: 'parser-died'; readonly killed: boolean }
  /** To the scouter: fetch no new URLs; URLs of a recrawl are still visited. */
  | { readonly type: 'enough' }
  /** Take no new leases, finish work under way, then exit. */
  | { readonly type: 'drain' }

/** CPU and memory of a child. */
export type Footprint = {
  readonly pid: number
  readonly rssBytes: number
  /** User and system time of all its threads, since it started. */
  readonly cpuMs: number
}

export type FromChild =
  | { readonly type: 'hello'; readonly role: 'scouter' | 'parser'; readonly pid: number }
  /** Still opening its stores, which may take a while. */
  | { readonly type: 'alive' }
  /** Its stores are open and it works. */
  | { readonly type: 'up'; readonly role: 'scouter' | 'parser' }
  | (Footprint & {
      readonly type: 'beat'
      readonly role: 'scouter'
      readonly counts: UrlCounts
      readonly hosts: readonly HostState[]
      /** Jain's index over seeds' domains, relative to what each could have been given. */
      readonly fairness: number
      readonly inFlight: number
      readonly bytes: number
      /** URLs still to be visited again; left out if this is no recrawl. */
      readonly revisits?: number
      /** How long the network has been down; left out if it is up. */
      readonly awayMs?: number
    })
  /** The harvest is that of this parser since it started. */
  | (Footprint &
      Harvest & {
        readonly type: 'beat'
        readonly role: 'parser'
        /** Pages of the whole crawl, whoever stored them. */
        readonly stored: number
        /** Those that this parser stored itself. */
        readonly saved: number
        readonly duplicates: number
        readonly waiting: number
      })
  /** A notice for the user. */
  | { readonly type: 'notice'; readonly text: string }
  /** The scouter has nothing left to do, or has drained. */
  | { readonly type: 'finished'; readonly why: 'empty' | 'limit' | 'drained' | 'away' }
  /** Cannot continue; the supervisor must not restart it. */
  | { readonly type: 'fatal'; readonly code: string; readonly message: string }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function encodeControl(message: ToChild | FromChild): Uint8Array {
  return encoder.encode(JSON.stringify(message))
}

export function decodeControl<T extends ToChild | FromChild>(payload: Uint8Array): T {
  const value: unknown = JSON.parse(decoder.decode(payload))
  if (typeof value !== 'object' || value === null || !('type' in value)) {
    throw new CrawlerError('wire-broken', 'a control frame without a type')
  }
  return value as T
}

type ChildLinkOptions = {
  readonly controlSocket: string
  readonly role: 'scouter' | 'parser'
  /** After `start`: every message of the supervisor. */
  readonly onMessage: (message: ToChild) => void
  readonly onOrphaned: () => void
}

export type Assignment = Extract<ToChild, { type: 'start' }>

/**
 * A child's connection to its supervisor. When it breaks, the supervisor is gone and the child must exit:
 * nobody would stop it, and the next run waits for its files.
 */
export class ChildLink {
  readonly #connection: Connection
  readonly assignment: Promise<Assignment>

  private constructor(connection: Connection, assignment: Promise<Assignment>) {
    this.#connection = connection
    this.assignment = assignment
  }

  static async open(options: ChildLinkOptions): Promise<ChildLink> {
    const { controlSocket, role, onMessage, onOrphaned } = options
    const start = Promise.withResolvers<Assignment>()
    const connection = await connectTo(controlSocket, {
      onFrame: (_type, payload) => {
        const message = decodeControl<ToChild>(payload)
        if (message.type === 'start') start.resolve(message)
        else onMessage(message)
      },
      onClose: onOrphaned,
    })
    const link = new ChildLink(connection, start.promise)
    link.send({ type: 'hello', role, pid: process.pid })
    return link
  }

  send(message: FromChild): void {
    this.#connection.send(FRAME_TYPES.control, encodeControl(message))
  }

  /** Ends the connection; resolves when everything has been sent. */
  end(): Promise<void> {
    return this.#connection.end()
  }
}
