// A host as shown-hosts.lua tells it; the decoder of this edge.
import type { HostState } from '../../core/host.ts'
import type { HostCopy } from '../../core/url-copy.ts'

export function decodeHostCopy(reply: unknown): HostCopy {
  const texts = Array.isArray(reply) ? reply.map(String) : []
  const [host = '', site = '', queued, inFlight, stored, failures, trouble = '', ...rest] = texts
  const [delayMs, restsUntil, ownDelayMs] = rest
  return {
    ...{ host, site, queued: Number(queued), inFlight: Number(inFlight), stored: Number(stored) },
    ...{ failures: Number(failures), trouble, delayMs: Number(delayMs) },
    ...{ restsUntil: Number(restsUntil), ownDelayMs: Number(ownDelayMs) },
  }
}

export function hostStateOf({ ownDelayMs: _, ...state }: HostCopy): HostState {
  return state
}

/** The largest first, of equals the one that was there first. */
export function largestFirst<T extends HostState>(
  hosts: readonly T[],
  limit: number,
): readonly T[] {
  return hosts.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, limit)
}

function sizeOf({ queued, inFlight, stored }: HostState): number {
  return queued + inFlight + stored
}
