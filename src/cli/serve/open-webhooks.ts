// Webhooks wired: what they hear of from the dispatcher, the journal and the pages of a workspace, and
// the way out to their receivers.
import type { ApiDeps } from '../../api/api-deps.ts'
import { JobViews } from '../../api/job-views.ts'
import { isFinal, type JobRecord } from '../../core/job.ts'
import { ownListenersOf, serverListens } from '../../crawl/trusted-hosts.ts'
import { openWebhookSender, type Told } from '../../jobs/webhook-sender.ts'
import { Webhooks } from '../../jobs/webhooks.ts'
import { ResourceStack } from '../../lib/resource-stack.ts'
import { userAgentFor } from '../../options/values.ts'
import type { JobStore } from '../../store/job-store.ts'
import type { Workspace } from '../../workspace/workspace.ts'

type WebhookDeps = Pick<
  ApiDeps,
  'journal' | 'reads' | 'dispatcher' | 'settings' | 'clock' | 'log'
> & {
  readonly workspace: Workspace
  readonly jobs: JobStore
}

/** Jobs whose receivers are remembered. */
const MAX_KNOWN = 1000

export async function openWebhooks(deps: WebhookDeps): Promise<AsyncDisposable> {
  const { workspace, jobs, journal, reads, dispatcher, settings, clock, log } = deps
  await using opened = new ResourceStack()
  const outbox = opened.use(await workspace.outbox())
  const { allowPrivate, connectTo, dns, proxies } = settings
  const network = { allowPrivate, connectTo, dns, proxies }
  const userAgent = userAgentFor(settings.defaults.contact)
  const ownListeners = await ownListenersOf({ ...workspace.text, ...serverListens(settings) })
  const sender = openWebhookSender({ ...network, userAgent, ownListeners })
  const views = new JobViews({ dispatcher, reads, journal, clock })
  const receivers = new Receivers(jobs)
  const notice = (crawlId: number, text: string): void => {
    log(`crawl_${crawlId}: ${text}`)
    dispatcher.notice(crawlId, text).catch((error) => log(String(error)))
  }
  const webhooks = new Webhooks({
    outbox,
    journal,
    clock,
    toldOf: (crawlId) => receivers.of(crawlId),
    async summaryOf(crawlId) {
      const job = await jobs.get(crawlId)
      return job && views.summary(job)
    },
    isOver: async (crawlId) => isOver(await jobs.get(crawlId)),
    async pagesAfter(crawlId, after, limit) {
      const { pages } = await reads.pageRows(crawlId, { after, limit, filter: {} })
      return pages
    },
    lastPageId: (crawlId) => reads.lastPageId(crawlId),
    send: (call) => sender.send(call),
    onNotice: notice,
    onTrouble: log,
  })
  opened.defer(async () => {
    const closing = webhooks[Symbol.asyncDispose]()
    // Calls under way are cut off, so that nobody waits for a slow receiver.
    await sender[Symbol.asyncDispose]()
    await closing
  })
  opened.defer(
    dispatcher.subscribe({
      onEvent: ({ crawlId, event }) => {
        if (event.type === 'removed') receivers.forget(crawlId)
        webhooks.wake()
      },
      onProgress: () => webhooks.pagesStored(),
    }),
  )
  return opened.move()
}

function isOver(job: JobRecord | null): boolean {
  return job === null || isFinal(job.status)
}

/** The webhooks of each job; the answers do not change. */
class Receivers {
  readonly #jobs: JobStore
  readonly #known = new Map<number, Told | null>()

  constructor(jobs: JobStore) {
    this.#jobs = jobs
  }

  async of(crawlId: number): Promise<Told | null> {
    const known = this.#known.get(crawlId)
    if (known !== undefined) return known
    const told = await this.#look(crawlId)
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(crawlId, told)
    return told
  }

  forget(crawlId: number): void {
    this.#known.delete(crawlId)
  }

  async #look(crawlId: number): Promise<Told | null> {
    const webhook = (await this.#jobs.orderOf(crawlId))?.webhook ?? null
    if (webhook === null) return null
    const job = await this.#jobs.get(crawlId)
    return job && { webhook, salt: job.salt }
  }
}
