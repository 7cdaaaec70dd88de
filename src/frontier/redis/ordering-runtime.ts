// Everything an ordering does for a frontier in Redis, in one place: what it makes of links, what it has
// learned, the heads that are scored again, and ranks of the whole graph.
//
// Batches go through it one after the other: what one makes of a URL the next must see.
import type { Found, Via } from '../../core/link.ts'
import type { Settlement } from '../frontier.ts'
import { BatchScorer } from './batch-scorer.ts'
import type { Calls, Word } from './calls.ts'
import { HeadRescorer } from './head-rescorer.ts'
import type { LinkRules, Scored } from './link-arguments.ts'
import type { RedisFrontierOptions } from './options.ts'
import { OrderingState } from './ordering-state.ts'
import { reapplySettings, untilJudged } from './reapply-settings.ts'
import type { StaleRow, Standing } from './reply.ts'
import { Reranking } from './reranking.ts'
import type { ToSettle } from './settlement-words.ts'

export class OrderingRuntime {
  readonly #options: RedisFrontierOptions
  readonly #calls: Calls
  readonly #rules: LinkRules
  readonly #steer: BatchScorer
  readonly #state: OrderingState
  readonly #drift: HeadRescorer | null
  readonly #reranking: Reranking | null
  #isOpen = true
  #turns: Promise<unknown> = Promise.resolve()
  #ranking: Promise<unknown> = Promise.resolve()

  constructor(options: RedisFrontierOptions, calls: Calls, rules: LinkRules) {
    const { connection, clock, ordering, scorer } = options
    this.#options = options
    this.#calls = calls
    this.#rules = rules
    const shard = shardOf(options)
    this.#state = new OrderingState({ connection, clock, scorer, shard, name: ordering.name })
    this.#drift = scorer.drifts ? new HeadRescorer(calls, scorer) : null
    const { ranking } = scorer
    const isOpen = (): boolean => this.#isOpen
    this.#reranking = ranking
      ? new Reranking({ calls, connection, shard, scorer, ranking, isOpen })
      : null
    const onLearned = (hostIds: readonly number[]): void => {
      this.#state.note()
      this.#drift?.learnedOf(hostIds)
    }
    const onChanged = (id: number): void => this.#drift?.forget(id)
    this.#steer = new BatchScorer({ frontier: options, calls, rules, onLearned, onChanged })
  }

  /** Brings what is there in line with this run's settings, and takes back what was learned before. */
  async prepare(): Promise<void> {
    const { connection, job, scorer, joins = false, takeOver = false } = this.#options
    const shard = shardOf(this.#options)
    const parts = { calls: this.#calls, rules: this.#rules, state: this.#state }
    if (!joins) {
      return reapplySettings({ ...parts, connection, job, scorer, shard, takesOver: takeOver })
    }
    await untilJudged(connection, shard)
    await this.#state.load()
  }

  /** Does something that must see all of what was done before it. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turns.then(work)
    this.#turns = done.catch(() => {})
    return done
  }

  /** What it makes of URLs given from outside; null when that needs no look. */
  found(links: readonly Found[], via: Via): Promise<readonly (Scored | null)[] | null> {
    return this.#steer.found(links, via)
  }

  /** The same for a batch of settlements. */
  settlements(settlements: readonly Settlement[]): Promise<readonly ToSettle[] | null> {
    return this.#steer.settlements(settlements)
  }

  /** What `settle` is told of what was learned. */
  learnedWords(): readonly Word[] {
    return this.#state.words()
  }

  /** The words of `rescore` for a row that was told to be stale. */
  rescoreWords(row: StaleRow): readonly Word[] {
    return this.#steer.rescoreWords(row)
  }

  /** A batch was written. */
  async settled({ learned }: Standing): Promise<void> {
    await this.#state.follow(learned)
  }

  /** Ranks the graph when that is due; batches go on meanwhile. */
  async rank({ counts }: Standing): Promise<void> {
    if (this.#reranking === null) return
    const done = this.#reranking.runIfDue(counts.stored + counts.duplicate)
    const before = this.#ranking
    this.#ranking = done.catch(() => {}).then(() => before)
    if (await done) this.#state.note()
  }

  /** Before so many leases are asked for. */
  async look(limit: number): Promise<void> {
    await this.#drift?.look(limit)
  }

  /** Nothing begins after this; what was learned is kept. */
  async close(): Promise<void> {
    this.#isOpen = false
    await this.#turns
    await this.#ranking
    await this.#calls.run('settle', ['', ...this.#state.wordsNow(), 0, 0])
  }
}

function shardOf({ connection, job, shard = 0 }: RedisFrontierOptions) {
  return { prefix: connection.prefix, crawlId: job.id, shard }
}
