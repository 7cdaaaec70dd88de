// Frontiers of earlier versions, which kept their truth in Redis: one or several parts, each under the tag that a
// partition has now, with a key `meta`. Nothing here reads them. They are made again from the store.
import { CrawlerError } from '../../core/errors.ts'
import type { RedisConnection } from '../../db/redis.ts'
import { SCAN } from './commands.ts'
import { partitionTag } from './keys.ts'

export async function refuseEarlier(connection: RedisConnection, crawlId: number): Promise<void> {
  if (!(await isThere(connection, tagOf(connection, crawlId, 0)))) return
  const what = `the frontier of crawl ${crawlId} in Redis (${connection.shownUrl})`
  const hint = "'jelajah doctor --rebuild-frontier' makes it again from its pages; or use --fresh"
  throw new CrawlerError('store-older', `${what} was written by an earlier version. ${hint}`)
}

/** May be interrupted and done again: of each part `meta` goes last, and the first part after all others. */
export async function discardEarlier(connection: RedisConnection, crawlId: number): Promise<void> {
  const tags: string[] = []
  for (let part = 0; ; part += 1) {
    const tag = tagOf(connection, crawlId, part)
    if (!(await isThere(connection, tag))) break
    tags.unshift(tag)
  }
  for (const tag of tags) {
    for await (const keys of keysOf(connection, tag)) {
      const others = keys.filter((key) => key !== `${tag}meta`)
      if (others.length > 0) await connection.call('UNLINK', ...others)
    }
    await connection.call('UNLINK', `${tag}meta`)
  }
}

function tagOf({ prefix }: RedisConnection, crawlId: number, part: number): string {
  return partitionTag({ prefix, crawlId }, part)
}

async function isThere(connection: RedisConnection, tag: string): Promise<boolean> {
  return (await connection.call('EXISTS', `${tag}meta`)) === 1
}

async function* keysOf(connection: RedisConnection, tag: string): AsyncIterable<string[]> {
  let cursor = '0'
  do {
    const answer = await connection.run(SCAN, [`${tag}meta`], [cursor, `${tag}*`])
    const [next, keys] = Array.isArray(answer) ? answer : []
    yield Array.isArray(keys) ? keys.map(String) : []
    cursor = String(next)
  } while (cursor !== '0')
}
