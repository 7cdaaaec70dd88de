// How much goes into one script: while it runs, nobody else is answered. A batch of settlements goes in
// several; a page or sitemap that names more than that tells the first of its links in parts (part.lua)
// and is settled with the last of them.
import { createHash } from 'node:crypto'
import type { Found } from '../../core/link.ts'
import type { HandedOver } from './elsewhere.ts'
import { hashText } from './link-arguments.ts'
import { linksOf, type ToSettle } from './settlement-words.ts'

export const MOST_AT_ONCE = 5000
const MOST_CHARACTERS = 1_000_000
/** What a link takes beside its URL, about. */
const LINK_CHARACTERS = 40

export type Part = { readonly toSettle: ToSettle; readonly mark: string }

export type Portion = {
  /** Where its first settlement is among all. */
  readonly from: number
  readonly parts: readonly Part[]
  readonly last: readonly ToSettle[]
}

/** Runs of things that go together, by what each weighs; each run has at least one. */
export function runsOf<T>(
  all: readonly T[],
  weigh: (each: T) => Weight,
): readonly (readonly T[])[] {
  const runs: T[][] = []
  let room: Weight = { count: 0, characters: 0 }
  for (const each of all) {
    const { count, characters } = weigh(each)
    room = { count: room.count - count, characters: room.characters - characters }
    if (runs.length === 0 || room.count < 0 || room.characters < 0) {
      runs.push([])
      room = { count: MOST_AT_ONCE - count, characters: MOST_CHARACTERS - characters }
    }
    runs.at(-1)?.push(each)
  }
  return runs
}

type Weight = { readonly count: number; readonly characters: number }

export function weightOfLink({ url }: Pick<Found, 'url'>): Weight {
  return { count: 1, characters: url.length + LINK_CHARACTERS }
}

export function chunksOf<T>(all: readonly T[], size = MOST_AT_ONCE): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size))
}

export function portionsOf(all: readonly ToSettle[]): readonly Portion[] {
  const portions: Portion[] = []
  let from = 0
  for (const run of runsOf(all, weightOf)) {
    const cut = run.map(inParts)
    portions.push({
      ...{ from, parts: cut.flatMap(({ parts }) => parts), last: cut.map(({ last }) => last) },
    })
    from += run.length
  }
  return portions
}

function ownLinks({ links, settlement }: ToSettle): readonly Found[] {
  return links ?? linksOf(settlement)
}

function weightOf(each: ToSettle): Weight {
  const links = ownLinks(each)
  let characters = 0
  for (const link of links) characters += weightOfLink(link).characters
  return { count: links.length + 1, characters }
}

/** The same links of the same page make the same parts, whoever knows which of them: see part.lua. */
function inParts(each: ToSettle): { readonly parts: readonly Part[]; readonly last: ToSettle } {
  const { count, characters } = weightOf(each)
  if (count <= MOST_AT_ONCE && characters <= MOST_CHARACTERS) return { parts: [], last: each }
  let from = 0
  const cut = runsOf(ownLinks(each), weightOfLink).map((links) => {
    const scored = each.scored.slice(from, from + links.length)
    from += links.length
    return { ...each, links, scored }
  })
  const last = cut.pop() ?? each
  return {
    parts: cut.map((some) => ({ toSettle: { ...some, isPart: true }, mark: markOf(some.links) })),
    last,
  }
}

function markOf(links: readonly Found[]): string {
  const hash = createHash('sha1')
  for (const link of links) hash.update(hashText(link.hash))
  return hash.digest('base64').slice(0, 12)
}

/** What is handed to another shard, in as many scripts as it needs; what comes in parts counts once there. */
export function handedInRuns<T extends HandedOver>(all: readonly T[]): readonly (readonly T[])[] {
  const cut = all.flatMap((each) => {
    const [first = [], ...others] = runsOf(each.links, ([link]) => weightOfLink(link))
    const rest = others.map((links) => ({ ...each, links, moved: [], maps: [] }))
    return [{ ...each, links: first }, ...rest]
  })
  return runsOf(cut, ({ links }) => ({
    count: links.length,
    characters: links.reduce((sum, [link]) => sum + weightOfLink(link).characters, 0),
  }))
}
