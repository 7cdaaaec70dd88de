// What a receipt of the parser means for the frontier.
import type { Settlement } from '../frontier/frontier.ts'
import type { Receipt } from '../wire/receipt.ts'

export function settlementOf(receipt: Receipt): Settlement {
  const { kind, id, token, round = 0, outcome, reason } = receipt
  const { found, likeness, judged, sitemaps, gone, moved, read: size } = receipt
  const { url, depth } = receipt
  const named = {
    ...(url === undefined ? {} : { url }),
    ...(depth === undefined ? {} : { depth }),
  }
  const isDurable = outcome === 'stored' || outcome === 'duplicate' || outcome === 'unchanged'
  const lease = {
    kind,
    id,
    token,
    round,
    ...named,
    ...(isDurable ? { durable: true as const } : {}),
  }
  const { cpuMs } = receipt
  const moves = {
    ...(moved === undefined ? {} : { moved }),
    ...(cpuMs === undefined ? {} : { cpuMs }),
  }
  const ends = gone === undefined ? moves : { gone, ...moves }
  switch (outcome) {
    case 'stored':
      return { lease, outcome, found, judged, likeness, ...moves }
    case 'duplicate':
      return { lease, outcome, of: reason, found, judged, ...moves }
    case 'refused':
      return { lease, outcome, reason, found, judged, likeness, ...ends }
    case 'failed':
      return { lease, outcome, reason, retryAt: null, ...ends }
    case 'redirected': {
      const [to] = found
      if (to !== undefined) return { lease, outcome, to, ...ends }
      return { lease, outcome: 'failed', reason: 'redirect-target', retryAt: null, ...ends }
    }
    case 'unchanged':
      return { lease, outcome }
    case 'part':
      return { lease, outcome, found }
    case 'read':
      return { lease, outcome, found, sitemaps, ...(size === undefined ? {} : { size }) }
    case 'over-limit':
      return { lease, outcome: 'no-room' }
    case 'lost':
      return { lease, outcome: 'released' }
  }
}
