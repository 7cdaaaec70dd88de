// What a crawl's frontier was made as. Kept with the crawl and with every partition, so that one that was lost
// is known from one that never was.
import { randomBytes } from 'node:crypto'

export type CrawlMade = {
  readonly salt: number
  readonly partitions: number
  /** As kept. */
  readonly made: string
}

export function newCrawlMade(salt: number, partitions: number): CrawlMade {
  const word = randomBytes(6).toString('base64url')
  return { salt, partitions, made: `${salt} ${partitions} ${word}` }
}

export function crawlMadeOf(made: unknown): CrawlMade | null {
  if (typeof made !== 'string') return null
  const [salt, partitions] = made.split(' ')
  return { salt: Number(salt), partitions: Number(partitions), made }
}
