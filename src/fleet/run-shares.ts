// The work of workers for one run of a crawl, as its owner sees it: who is at work, their totals, and their
// findings.
import { leftBehind } from '../crawl/progress-totals.ts'
import type {
  Heard,
  OwnEnd,
  ProgressSnapshot,
  ProgressTotals,
  WorkerRecord,
  WorkerShare,
} from './worker-registry.ts'

export class RunShares {
  readonly #crawl: number
  readonly #run: string
  /** By worker, as of its last report. */
  readonly #shares = new Map<string, WorkerShare>()
  /** By every worker that ever joined. */
  readonly #names = new Map<string, string>()
  #present: readonly WorkerShare[] = []
  #snapshot: ProgressSnapshot | null = null
  #declined = ''

  constructor(crawl: number, run: string) {
    this.#crawl = crawl
    this.#run = run
  }

  /** Returns notices for the user. */
  hear({ workers, snapshot }: Heard): readonly string[] {
    this.#snapshot = snapshot ?? this.#snapshot
    this.#declined = whyNobodyJoins(workers, this.#crawl)
    const present = new Map(
      workers.flatMap(({ id, shares }) =>
        shares.filter(({ run }) => run === this.#run).map((share) => [id, share] as const),
      ),
    )
    const news = this.#news(new Map(workers.map(({ id, name }) => [id, name])), present)
    for (const [id, share] of this.#shares) {
      // The results of a worker that is gone stay.
      if (!present.has(id)) this.#shares.set(id, gone(share))
    }
    for (const [id, share] of present) this.#shares.set(id, share)
    this.#present = [...present.values()]
    return news
  }

  #news(
    names: ReadonlyMap<string, string>,
    present: ReadonlyMap<string, WorkerShare>,
  ): readonly string[] {
    const came = [...present].filter(([id, { pairs }]) => pairs > 0 && !this.#isAtWork(id))
    const went = [...this.#names].filter(([id]) => this.#isAtWork(id) && !present.get(id)?.pairs)
    for (const [id] of came) this.#names.set(id, names.get(id) ?? '')
    return [
      ...came.map(([id]) => `worker ${names.get(id)} joined`),
      ...went.map(([id, name]) => `worker ${name} ${names.has(id) ? 'left' : 'is gone'}`),
    ]
  }

  #isAtWork(id: string): boolean {
    return (this.#shares.get(id)?.pairs ?? 0) > 0
  }

  /** At work, or about to begin. */
  get pairs(): number {
    return this.#all.reduce((sum, { pairs }) => sum + pairs, 0)
  }

  get figures(): readonly ProgressTotals[] {
    return this.#all.map(({ figures }) => figures)
  }

  /** The crawl as a worker last reported it; null if none did. */
  get snapshot(): ProgressSnapshot | null {
    return this.#snapshot
  }

  /** Null if no scouter has found the end. */
  get end(): OwnEnd | null {
    return this.#present.find(({ end }) => end !== null)?.end ?? null
  }

  get troubles(): readonly NonNullable<WorkerShare['trouble']>[] {
    return this.#present.flatMap(({ trouble }) => (trouble === null ? [] : [trouble]))
  }

  /** Why a present worker does not join; else ''. */
  get declined(): string {
    return this.#declined
  }

  get #all(): readonly WorkerShare[] {
    return [...this.#shares.values()]
  }
}

/** The reason of the first worker; the others usually have the same. */
function whyNobodyJoins(workers: readonly WorkerRecord[], crawl: number): string {
  const all = workers.flatMap(({ name, declined, shares }) => [
    ...declined.filter((one) => one.crawl === crawl).map(({ why }) => [name, why] as const),
    ...shares.flatMap((one) =>
      one.crawl === crawl && one.trouble !== null
        ? [[name, wordsFor(one.trouble.code)] as const]
        : [],
    ),
  ])
  return all.map(([name, why]) => `${name} does not join, as ${why}`)[0] ?? ''
}

/** For the user of the crawl, who need not know the names and addresses of machines. */
function wordsFor(code: string): string {
  if (code === 'store-newer' || code === 'store-older') {
    return 'its version of Jelajah is not the one of the database'
  }
  return code === 'disk-full' ? 'its disk is full' : 'it had trouble with it; its log says more'
}

function gone(share: WorkerShare): WorkerShare {
  return { ...share, pairs: 0, figures: leftBehind(share.figures), end: null, trouble: null }
}
