// The ordering's part in what goes to Redis: before a batch is written, everything it weighs is looked
// at once, and what it makes of each link goes with the link. An ordering that weighs nothing but what
// is at hand pays for no look.
import type { Found, Via } from '../../core/link.ts'
import { hostOf } from '../../core/url.ts'
import { createUrlHasher, type UrlHasher } from '../../lib/url-hash.ts'
import type { Candidate, Scorer, SettledPage, Signals } from '../../ordering/ordering.ts'
import { finiteScore } from '../finite-score.ts'
import type { Settlement } from '../frontier.ts'
import type { Calls, Word } from './calls.ts'
import { type Advice, Foresight, mergedSignals, type Source } from './foresight.ts'
import { candidateOf } from './known-url.ts'
import { hashText, type LinkRules, type Scored } from './link-arguments.ts'
import { type LookedPage, look, type View } from './look.ts'
import { type Needs, needsOf } from './needs.ts'
import type { RedisFrontierOptions } from './options.ts'
import type { StaleRow } from './reply.ts'
import { linksOf, type ToSettle } from './settlement-words.ts'
import { textOfSignals } from './signals-text.ts'

export type BatchScorerOptions = {
  readonly frontier: RedisFrontierOptions
  readonly calls: Calls
  readonly rules: LinkRules
  /** Something was learned from a page of one host that was found on another. */
  readonly onLearned: (hostIds: readonly number[]) => void
  /** What is known of a URL that waits has changed, whether or not its score has. */
  readonly onChanged: (id: number) => void
}

export class BatchScorer {
  readonly #scorer: Scorer
  readonly #calls: Calls
  readonly #rules: LinkRules
  readonly #hashUrl: UrlHasher
  readonly #needs: Needs
  readonly #maxDepth: number
  readonly #onLearned: BatchScorerOptions['onLearned']
  readonly #onChanged: BatchScorerOptions['onChanged']
  /** What links of the last batch said, by the hash of where they lead. */
  #said = new Map<string, Signals[]>()

  constructor({ frontier, calls, rules, onLearned, onChanged }: BatchScorerOptions) {
    const { ordering, scorer, job } = frontier
    this.#scorer = scorer
    this.#calls = calls
    this.#rules = rules
    this.#hashUrl = createUrlHasher(job.salt)
    this.#needs = needsOf(ordering, scorer, { exactDepth: job.settings.maxDepth !== null })
    this.#maxDepth = job.settings.maxDepth ?? Number.POSITIVE_INFINITY
    this.#onLearned = onLearned
    this.#onChanged = onChanged
  }

  /** What it makes of URLs given from outside; null when a look would tell nothing. */
  async found(links: readonly Found[], via: Via): Promise<readonly (Scored | null)[] | null> {
    if (!this.#needs.links) return null
    const batch = new Batch(await this.#look([], links), this.#needs, this.#parts())
    this.#said = batch.said
    return batch.links(links, { via, depth: 0, page: null, again: false })
  }

  /** The same for a batch of settlements with all that is known of their pages. */
  async settlements(settlements: readonly Settlement[]): Promise<readonly ToSettle[] | null> {
    if (!this.#needs.links && !this.#needs.pages) return null
    const pages = settlements.filter(({ lease }) => lease.kind === 'page')
    const links = this.#needs.links ? settlements.flatMap((each) => [...linksOf(each)]) : []
    const view = await this.#look(pages, links)
    const byPage = new Map(pages.map((settlement, at) => [settlement, view.pages[at] ?? null]))
    const batch = new Batch(view, this.#needs, this.#parts())
    this.#said = batch.said
    return settlements.map((each) => batch.settle(each, byPage.get(each) ?? null))
  }

  /** The words of `rescore` for a row that changed while the ordering looked elsewhere. */
  rescoreWords(row: StaleRow): readonly Word[] {
    let known: Candidate = row
    for (const said of this.#said.get(row.hash) ?? []) {
      known = { ...known, signals: mergedSignals(this.#scorer, known, row.url, said) }
    }
    const signals = known.signals === row.signals ? null : known.signals
    const score = finiteScore(this.#scorer, known)
    return [row.id, score, textOfSignals(signals), textOfSignals(row.signals), row.hash]
  }

  #look(pages: readonly Settlement[], links: readonly Found[]): Promise<View> {
    return look(this.#calls, {
      pages: pages.map(({ lease }) => lease),
      hashUrl: this.#hashUrl,
      links,
    })
  }

  #parts(): BatchParts {
    return {
      ...{ scorer: this.#scorer, rules: this.#rules, maxDepth: this.#maxDepth },
      ...{ onLearned: this.#onLearned, onChanged: this.#onChanged },
    }
  }
}

type BatchParts = {
  readonly scorer: Scorer
  readonly rules: LinkRules
  readonly maxDepth: number
  readonly onLearned: BatchScorerOptions['onLearned']
  readonly onChanged: BatchScorerOptions['onChanged']
}

/** One batch, in the order of its settlements. */
class Batch {
  readonly said = new Map<string, Signals[]>()
  readonly #needs: Needs
  readonly #parts: BatchParts
  readonly #foresight: Foresight

  constructor(view: View, needs: Needs, parts: BatchParts) {
    this.#needs = needs
    this.#parts = parts
    const { scorer, maxDepth } = parts
    this.#foresight = new Foresight({ scorer, needs, maxDepth, looked: view.looked })
  }

  settle(settlement: Settlement, page: LookedPage | null): ToSettle {
    const known = page === null ? undefined : { url: page.url, depth: page.known.depth }
    const isSettled = settlement.lease.kind === 'sitemap' || page?.isTaken === true
    if (!isSettled) return { settlement, known, scored: [] }
    if (page !== null && closes(settlement)) page.known.standing = 'closed'
    return { settlement, known, scored: this.#scored(settlement, page) }
  }

  /** Null for one that changes nothing. */
  links(links: readonly Found[], source: Source): readonly (Scored | null)[] {
    this.#foresight.begin()
    let position = 0
    return links.map((link) => {
      const scored = this.#link(link, source, position)
      if (!link.nofollow) position += 1
      return scored
    })
  }

  #scored(settlement: Settlement, page: LookedPage | null): readonly (Scored | null)[] {
    const links = linksOf(settlement)
    if (settlement.lease.kind === 'sitemap') {
      return this.links(links, { via: 'sitemap', depth: 1, page: null, again: false })
    }
    if (page === null) return []
    const { depth, signals } = page.known
    if (settlement.outcome === 'redirected') {
      // Whatever was said of a URL is said of where it leads.
      const heirs = links.map((link) => ({ ...link, signals }))
      return this.links(heirs, { via: 'redirect', depth, page: null, again: false })
    }
    if (!('found' in settlement)) return []
    const judged = 'judged' in settlement ? settlement.judged : null
    const settled = this.#learn(page, links, judged)
    const source = { via: 'link', depth: depth + 1, page: settled, again: page.again } as const
    return this.links(links, source)
  }

  /** The page as the ordering sees it, which has learned from it now; null when it asks for none. */
  #learn(page: LookedPage, found: readonly Found[], judged: Signals | null): SettledPage | null {
    const { scorer, onLearned } = this.#parts
    if (scorer.settled === undefined && scorer.pass === undefined) return null
    const { finder, known, url, hostId } = page
    let links = 0
    for (const { nofollow } of found) if (!nofollow) links += 1
    const { waiting } = this.#foresight
    const settled = { ...candidateOf(url, known), id: known.id, judged, links, waiting }
    const whole = { ...settled, finder: () => finder }
    if (scorer.settled !== undefined) {
      scorer.settled(whole)
      // Who led to a page may be worth more, or less, for it.
      onLearned(finder === null ? [hostId] : [hostId, finder.hostId])
    }
    return whole
  }

  #link(link: Found, source: Source, position: number): Scored | null {
    const refusal = this.#parts.rules.admit(link.url, hostOf(link.url))
    const reason = refusal ?? this.#pathRefusal(link, source)
    const advice = this.#foresight.advise(link, source, { position, refusal: reason })
    if (advice.passed !== null) this.#remember(link, advice.passed)
    if (advice.isRescored) this.#parts.onChanged(advice.id)
    const isNeeded = source.via !== 'link' || advice.isNew || advice.isChanged || this.#needs.edges
    return isNeeded ? { ...scoredBy(advice), refusal } : null
  }

  #pathRefusal({ nofollow }: Found, { depth }: Source): string | null {
    if (nofollow) return 'nofollow'
    return depth > this.#parts.maxDepth ? 'depth' : null
  }

  #remember({ hash }: Found, signals: Signals): void {
    const key = hashText(hash)
    const said = this.said.get(key)
    if (said === undefined) this.said.set(key, [signals])
    else said.push(signals)
  }
}

function scoredBy(advice: Advice): Scored {
  const { score, signals, refusal, isFollowed, isRescored, before, isNew } = advice
  if (isNew) return { score, signals, offFocus: refusal === 'focus' }
  if (!isFollowed) return { score: 0, signals: null, offFocus: true }
  if (!isRescored) return { score, signals: null }
  return { score, signals: signals === before ? null : signals, before }
}

/** Whether a URL that is settled so is done with. */
function closes(settlement: Settlement): boolean {
  const { outcome } = settlement
  if (outcome === 'released' || outcome === 'no-room') return false
  return outcome !== 'failed' || settlement.retryAt === null
}
