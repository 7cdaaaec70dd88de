// What scripts say is wrong with a frontier, in words of ours.
import { CrawlerError } from '../../core/errors.ts'
import { LAYOUT, type ShardName, UNFINISHED } from './keys.ts'

const REBUILD = 'run jelajah doctor --rebuild-frontier'

export function frontierError(error: unknown, name: ShardName, shownUrl: string): unknown {
  const message = error instanceof Error ? error.message : ''
  const [, code, rest = ''] = /^(?:ERR )?(LOST|LAYOUT|OTHER) (\S*)/.exec(message) ?? []
  const where = `the frontier of crawl ${name.crawlId}`
  if (code === 'LOST') {
    const text = `${where} is not in Redis (${shownUrl}): ${REBUILD}`
    return new CrawlerError('store-damaged', text, { cause: error })
  }
  if (code === 'LAYOUT' && rest === UNFINISHED) {
    const text = `${where} in Redis (${shownUrl}) is not whole: ${REBUILD}`
    return new CrawlerError('store-damaged', text, { cause: error })
  }
  if (code === 'LAYOUT') {
    const isNewer = Number(rest) > LAYOUT
    const text = `${where} in Redis has layout ${rest}, and this program knows ${LAYOUT}`
    return new CrawlerError(isNewer ? 'store-newer' : 'store-older', text, { cause: error })
  }
  if (code === 'OTHER') {
    const text = `${where} in Redis belongs to another crawl: choose another prefix`
    return new CrawlerError('store-damaged', text, { cause: error })
  }
  return error
}
