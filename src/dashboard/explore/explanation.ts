// Looking around in what was crawled: a table over all pages, one page in full, maps, search. This
// folder has what the views stand on: plain functions that know no document, and the few components
// that only these views use.
//
// Here: why a URL was fetched when it was, read from what the server tells of it.

export type Explanation = {
  readonly state: string
  readonly reason: string
  /** From where it was found back to a seed, the nearest first. */
  readonly path: readonly string[]
  /** `link`, `redirect`, `sitemap`; '' when that is not known. */
  readonly via: string
  readonly ordering: string
  /** Null where it never had one. */
  readonly score: number | null
  readonly scoreParts: readonly (readonly [string, string])[]
  readonly tries: number | null
  readonly nextAt: number | null
  /** URLs of its host that go before it. */
  readonly ahead: number | null
}

const MAX_STEPS = 20
const MAX_PARTS = 30

/** Null when the crawl does not know the URL. */
export function readExplanation(told: Readonly<Record<string, unknown>>): Explanation | null {
  const { known, state, reason, path, via, ordering, score, tries, ahead } = told
  if (known !== true) return null
  return {
    state: text(state),
    reason: text(reason),
    path: Array.isArray(path) ? path.slice(0, MAX_STEPS).map(text) : [],
    via: text(via),
    ordering: text(ordering),
    score: figure(score),
    scoreParts: partsOf(told.score_parts),
    tries: figure(tries),
    nextAt: figure(told.next_at),
    ahead: figure(ahead),
  }
}

function partsOf(parts: unknown): [string, string][] {
  const entries = Object.entries({ ...Object(parts) }).slice(0, MAX_PARTS)
  return entries.map(([name, value]) => [
    name,
    typeof value === 'number' ? short(value) : text(value),
  ])
}

/** As many digits as tell something. */
export function short(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e6) return String(value)
  return String(Number(value.toPrecision(3)))
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function figure(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
