// A crawl through a proxy with a password, whose seed names one as well.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { jelajah, readPages } from '../../e2e/crawling.ts'
import { checkHealth } from '../crawls.ts'
import { article, links, redirect, site } from '../server/answers.ts'
import { listenOn } from '../server/web-server.ts'
import type { Stage } from '../stage.ts'

const PASSWORD = 'proxy-password-r11'

export async function proxiedHeaders(stage: Stage): Promise<string> {
  stage.web.host({
    'r11.test': site({
      '/': article('R11', links('/away')),
      '/away': redirect('http://other.r11.test/'),
    }),
    'other.r11.test': site({ '/': article('R11 other') }),
  })
  const heads: string[] = []
  // A proxy that passes on what is not for itself, as proxies do, to the one web server there is.
  const proxy = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        const head = chunk.toString('latin1')
        heads.push(head)
        const [, url = ''] = head.split(' ')
        const on = head
          .replace(/^GET \S+/, `GET ${new URL(url).pathname}`)
          .replace(/^proxy-authorization:.*\r\n/im, '')
        const to = stage.inNamespace
          ? connect(80, '11.0.0.1')
          : connect(stage.web.port, '127.0.0.1')
        to.on('error', () => {}).end(on.replace(/\r\n\r\n$/, '\r\nconnection: close\r\n\r\n'))
        to.pipe(socket)
      })
  })
  const port = await listenOn(proxy, 0, '127.0.0.1')
  const data = join(stage.folder, 'r11')
  const args = [
    'crawl',
    'http://r11.test/',
    '--proxy',
    `http://me:${PASSWORD}@127.0.0.1:${port}`,
    '--data',
    data,
  ]
  const ran = await jelajah([...args, '--delay', '0', '--quiet', '--json', ...stage.reach], {
    env: stage.env,
  }).ended
  proxy.close()
  checkHealth(ran)
  assert.equal(readPages(data).length, 2)
  assert.ok(heads.length >= 4 && heads.every((head) => /^proxy-authorization: basic/im.test(head)))
  const secret = Buffer.from(`me:${PASSWORD}`).toString('base64')
  for (const host of ['r11.test', 'other.r11.test']) {
    for (const { headers } of stage.web.requestsTo(host)) {
      const values = [...headers.values()].join('\n')
      assert.ok(
        !values.includes(secret) && !values.includes(PASSWORD) && !headers.has('authorization'),
      )
    }
  }
  const said = `${ran.stdout}${ran.stderr}`
  assert.ok(!said.includes(PASSWORD))
  return 'the proxy got its password, no host got any'
}
