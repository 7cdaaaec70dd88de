// Reads the seeds of a request: `url`, `urls` and `seeds`, one or all of them.
import { InvalidInput, shown } from '../core/errors.ts'
import type { CanonicalUrl } from '../core/url.ts'
import type { Problems } from '../options/bad-options.ts'
import { hasCredentials, seedUrl } from '../options/seeds.ts'

export const SEED_FIELDS = ['url', 'urls', 'seeds']
const MAX_SEEDS = 10_000
const MAX_SHOWN = 200

type Given = { readonly at: string; readonly raw: unknown }

export function readSeeds(
  fields: ReadonlyMap<string, unknown>,
  problems: Problems,
): readonly CanonicalUrl[] {
  const written = SEED_FIELDS.flatMap((name) => writtenSeeds(name, fields.get(name)))
  if (written.length === 0) {
    problems.add('body', 'url', 'give at least one URL to start from, as url or urls')
  }
  if (written.length > MAX_SEEDS) {
    problems.add('body', 'urls', `takes at most ${MAX_SEEDS} seeds, not ${written.length}`)
    return []
  }
  const seeds = new Set<CanonicalUrl>()
  for (const { at, raw } of written) {
    const seed = problems.try('body', () => seedOf(raw, at))
    if (seed !== null) seeds.add(seed)
  }
  return [...seeds]
}

function writtenSeeds(name: string, value: unknown): readonly Given[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [{ at: name, raw: value }]
  return value.map((raw: unknown, index) => ({ at: `${name}[${index}]`, raw }))
}

function seedOf(raw: unknown, at: string): CanonicalUrl {
  const url = typeof raw === 'string' ? seedUrl(raw) : null
  if (typeof raw !== 'string' || url === null) {
    throw new InvalidInput(at, `${shown(raw)} is not an http or https URL`)
  }
  // Without the value: it has a password.
  if (hasCredentials(raw)) throw new InvalidInput(at, 'must not carry a user name or a password')
  return url
}

/** The name of a job that was not given one. */
export function nameFor([first, ...rest]: readonly CanonicalUrl[]): string {
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`
  return `${first?.slice(0, MAX_SHOWN)}${more}`
}
