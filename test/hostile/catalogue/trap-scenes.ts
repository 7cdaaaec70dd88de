// A crawl that is looked at again.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { jelajah } from '../../e2e/crawling.ts'
import { checkHealth, withinTime } from '../crawls.ts'
import { article, links, page, site } from '../server/answers.ts'
import type { Script } from '../server/request.ts'
import type { Stage } from '../stage.ts'

const changing: Script = (socket, request) =>
  page(
    article(
      `W8 ${request.target} for the time number ${request.asked}`,
      request.target === '/' ? links('/a', '/b') : '',
    ),
    {
      headers: `etag: "${request.nonce}"\r\n`,
    },
  )(socket, request)

export async function revisited(stage: Stage): Promise<string> {
  stage.web.host({ 'w8.test': site({ '/': changing, '/a': changing, '/b': changing }) })
  const data = join(stage.folder, 'w8')
  const args = [
    'crawl',
    'http://w8.test/',
    '--data',
    data,
    '--delay',
    '0',
    '--quiet',
    '--json',
    ...stage.reach,
  ]
  checkHealth(await withinTime(jelajah(args)))
  checkHealth(await withinTime(jelajah([...args, '--refresh'])))
  const most = Math.max(
    ...stage.web
      .requestsTo('w8.test')
      .filter(({ target }) => target !== '/robots.txt')
      .map(({ asked }) => asked),
  )
  assert.equal(most, 2)
  return 'each page was asked for once, and once more with --refresh'
}
