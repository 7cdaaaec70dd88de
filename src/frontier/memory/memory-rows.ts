// The rows of a frontier in plain maps, without a database: for replays and tests. They live as long as the
// object. Nothing is undone if a transaction fails: whoever sees that must not use the rows any more.
import type * as port from '../engine/rows.ts'
import {
  MemoryEdges,
  MemoryRevisits,
  MemoryRobots,
  MemorySitemaps,
  MemoryTable,
  MemoryTemplates,
  MemoryUrls,
} from './memory-tables.ts'

export class MemoryRows implements port.Rows {
  readonly crawl = new MemoryTable<port.CrawlRow>((row) => row.crawlId)
  readonly judgement = new MemoryTable<port.JudgementRow>((row) => row.crawlId)
  readonly host = new MemoryTable<port.HostRow>((row) => row.id)
  readonly url = new MemoryUrls()
  readonly edge = new MemoryEdges((row) => row.fromId)
  readonly ordering = new MemoryTable<port.OrderingRow, string>((row) => row.name)
  readonly template = new MemoryTemplates()
  readonly robots = new MemoryRobots((row) => row.origin)
  readonly sitemap = new MemorySitemaps((row) => row.id)
  readonly revisit = new MemoryRevisits((row) => row.urlId)
  readonly taken = new MemoryTable<port.TakenRow>((row) => row.fromPartition)
  readonly sent = new MemoryTable<port.SentRow>((row) => row.toPartition)
  readonly parked = new MemoryTable<port.ParkedRow, string>((row) => row.name)
  readonly seen = null

  transaction<T>(work: () => T): T {
    return work()
  }

  commit(): undefined {}

  async flush(): Promise<void> {}

  /** The rows stay for whoever opens them again. */
  close(): void {}
}
