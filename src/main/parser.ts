// The parser's process.
import { footprint, runChild } from '../crawl/child.ts'
import { seenPages } from '../crawl/seen-pages.ts'
import { ThreadFlags } from '../lib/work-flags.ts'
import { Parser } from '../parser/parser.ts'

await runChild('parser', async ({ job, pagesSocket, pair }, workspace) => {
  const store = await workspace.pageStore(job, pair)
  const broken = Promise.withResolvers<never>()
  const drained = Promise.withResolvers<null>()
  const storeIsShared = workspace.folder === null
  const seen = await seenPages(job, () => workspace.pageReader())
  const storeOfThreads = workspace.storeOfThreads(job, pair)
  const flags = new ThreadFlags()
  const options = { job, store, storeOfThreads, seen, pagesSocket, storeIsShared, flags }
  const parser = new Parser({ ...options, onBroken: broken.reject })
  return {
    run: async () => {
      const served = parser.run()
      await Promise.race([served, drained.promise, broken.promise])
      return null
    },
    beat: () => ({
      type: 'beat',
      role: 'parser',
      ...footprint(),
      ...parser.counts,
    }),
    onMessage: (message) => {
      if (message.type === 'drain') parser.close().then(() => drained.resolve(null), broken.reject)
    },
    leave: () => parser.leave(),
    [Symbol.asyncDispose]: async () => {
      await parser[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
})
