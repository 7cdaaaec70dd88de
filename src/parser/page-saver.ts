// Saves pages in batches, because a commit costs a wait for the disk that its pages share. A page waits for
// others only while the crawl has more to do: one that the scouter is waiting for takes its batch along.
import type { PageFields } from '../core/page.ts'
import type { PageCheck, PageOutcome, PageStore, PageToSave } from '../store/page-store.ts'
import type { Again, HandoverHead } from '../wire/handover.ts'
import { decodeKept, encodeKept, encodeReceipt, type KeptReceipt } from '../wire/receipt.ts'
import { type ParseResult, savedHead } from './parse-result.ts'

const BATCH_PAGES = 64
/** No page waits longer than this for others. */
const BATCH_MS = 100
/** How often the pages of a shared store are counted: as often as progress is reported. */
const COUNT_MS = 250

type Came = NonNullable<Again['came']>
type ParsedPage = Extract<ParseResult, { outcome: 'page' }>

type Ready = {
  readonly toSave: PageToSave | PageCheck
  readonly head: HandoverHead
  readonly cpuMs: number
}

/** A page that is durable now. */
export type SavedPage = {
  readonly head: HandoverHead
  /** Null if nothing new was saved: another look at a page that was stored before. */
  readonly counts: CountedPage | null
  /** For the scouter, in pieces. */
  readonly receipt: readonly Uint8Array[]
}

export type CountedPage = Pick<PageFields, 'relevance' | 'hot'> & Pick<PageOutcome, 'outcome'>

type PageSaverOptions = {
  readonly store: PageStore
  /** Remote: a batch takes several round trips, so single pages are not sent. */
  readonly storeIsShared: boolean
  /** No page is being parsed, so the batch will not grow soon. */
  readonly isIdle: () => boolean
  /** `stored`: pages of the crawl in the store. */
  readonly onSaved: (pages: readonly SavedPage[], stored: number) => void
  readonly onBroken: (error: unknown) => void
}

const NOTHING = new Uint8Array(0)

export class PageSaver {
  readonly #options: PageSaverOptions
  #batch: Ready[] = []
  #timer: NodeJS.Timeout | null = null
  #saving: Promise<void> = Promise.resolve()
  #isSaving = false
  /** Somebody waits for a page of the batch. */
  #isAwaited = false
  /** When the last batch was saved, and when the pages were counted. */
  #savedAt = Number.NEGATIVE_INFINITY
  #countedAt = Number.NEGATIVE_INFINITY
  #stored = 0

  constructor(options: PageSaverOptions) {
    this.#options = options
  }

  /** Pages that are not saved yet, without those of the batch that is being saved. */
  get waiting(): number {
    return this.#batch.length
  }

  add(head: HandoverHead, { page, foundBlock, likeness, judged, tookMs = 0 }: ParsedPage): void {
    const receipt = encodeKept({ likeness, judged, foundBlock })
    const packed = this.#options.store.pack?.(page) ?? page
    this.#push({ toSave: { page: packed, urlId: head.id, receipt }, head, cpuMs: tookMs })
  }

  /** Records that a stored page was fetched again and keeps its old content. */
  note(head: HandoverHead, came: Came, { likeness, judged, foundBlock }: KeptReceipt): void {
    const { url, id: urlId, fetchedAt: checkedAt, etag, lastModified } = head
    const receipt = encodeKept({ likeness, judged, foundBlock })
    const noted = came.to === 'unchanged' ? { to: came.to, etag, lastModified } : came
    this.#push({ toSave: { url, urlId, checkedAt, receipt, came: noted }, head, cpuMs: 0 })
  }

  /** To be called when a page was parsed that is not saved: the batch may have waited for it. */
  flushIfDue(): void {
    if (this.#batch.length >= BATCH_PAGES || this.#isDue()) this.flush()
  }

  /** Pages that arrive while a batch is being saved go into the next one. */
  flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#isSaving || this.#batch.length === 0) return
    this.#isSaving = true
    this.#savedAt = performance.now()
    const batch = this.#batch.splice(0, BATCH_PAGES)
    if (this.#batch.length === 0) this.#isAwaited = false
    this.#saving = this.#save(batch)
      .catch(this.#options.onBroken)
      .finally(() => {
        this.#isSaving = false
        this.#next()
      })
  }

  /** Saves everything that was added. */
  async drained(): Promise<void> {
    while (this.#batch.length > 0) {
      this.flush()
      await this.#saving
    }
    await this.#saving
  }

  #push(ready: Ready): void {
    this.#batch.push(ready)
    if (ready.head.isAwaited) this.#isAwaited = true
    this.#next()
  }

  #next(): void {
    if (this.#batch.length >= BATCH_PAGES || this.#isDue()) this.flush()
    else if (this.#batch.length > 0) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS)
  }

  #isDue(): boolean {
    const { storeIsShared, isIdle } = this.#options
    if (!this.#isAwaited || this.#batch.length === 0 || !isIdle()) return false
    return !storeIsShared || performance.now() >= this.#savedAt + BATCH_MS
  }

  async #save(batch: readonly Ready[]): Promise<void> {
    const { store, onSaved } = this.#options
    const answers = await store.save(batch.map(({ toSave }) => toSave))
    await this.#count(answers)
    const pages = batch.flatMap((ready, at) => {
      const saved = answers[at]
      return saved === undefined ? [] : [savedPage(ready, saved)]
    })
    onSaved(pages, this.#stored)
  }

  async #count(answers: readonly PageOutcome[]): Promise<void> {
    const { store, storeIsShared } = this.#options
    if (storeIsShared && performance.now() < this.#countedAt + COUNT_MS) {
      this.#stored += answers.filter(({ outcome }) => outcome === 'stored').length
      return
    }
    this.#stored = await store.count()
    this.#countedAt = performance.now()
  }
}

function savedPage({ head, toSave, cpuMs }: Ready, saved: PageOutcome): SavedPage {
  const { foundBlock, ...kept } = decodeKept(toSave.receipt)
  const answer = { ...savedHead(head, saved), ...kept, cpuMs }
  const receipt = encodeReceipt(answer, saved.outcome === 'over-limit' ? NOTHING : foundBlock)
  if (!('page' in toSave) || head.again !== undefined) return { head, counts: null, receipt }
  const { relevance, hot } = toSave.page.fields
  return { head, counts: { outcome: saved.outcome, relevance, hot }, receipt }
}
