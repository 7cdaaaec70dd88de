// Takes out of texts what recurs over the pages of a site (text/recurring-blocks.ts). Sites are the hosts
// of each crawl by itself, and all of their pages count, also those that are not exported: what is taken
// out of a page does not depend on what else is asked for.
import { hostOf } from '../core/url.ts'
import type { WholePage } from '../store/whole-pages.ts'
import { RecurringBlocks } from '../text/recurring-blocks.ts'
import type { OpenStep, Stepped } from './exporter.ts'
import { pageStream } from './page-stream.ts'

type Visit = (site: string, text: string) => void

/** Counted: `boilerplate_blocks` that were taken out, and `boilerplate_pages` that had any. */
export const withoutBoilerplate: OpenStep = async (store, { filter, upTo }, signal) => {
  const { crawlIds } = filter
  const range = { filter: crawlIds === undefined ? {} : { crawlIds }, after: 0, upTo }
  const recurring = new RecurringBlocks(await store.count(range))
  const visitAll = async (visit: Visit) => {
    for await (const { page } of pageStream({ store, range, needs: {}, steps: [] })) {
      signal.throwIfAborted()
      if (page !== null) visit(siteOf(page), page.contentText)
    }
  }
  await visitAll((site, text) => recurring.estimate(site, text))
  await visitAll((site, text) => recurring.confirm(site, text))
  recurring.confirmed()
  return {
    apply: async (pages) => pages.map((page) => cleaned(page, recurring)),
    async [Symbol.asyncDispose]() {},
  }
}

function cleaned(page: WholePage, recurring: RecurringBlocks): Stepped {
  const { text, blocks } = recurring.without(siteOf(page), page.contentText)
  if (blocks === 0) return { page }
  return {
    page: { ...page, contentText: text },
    counts: { boilerplate_blocks: blocks, boilerplate_pages: 1 },
  }
}

function siteOf({ crawlId, url }: WholePage): string {
  return `${crawlId} ${hostOf(url)}`
}
