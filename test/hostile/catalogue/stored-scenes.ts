// A store full of pages that mean harm to whoever shows, exports or searches them.
import { join } from 'node:path'
import { jelajah } from '../../e2e/crawling.ts'
import { type Served, startServer } from '../../e2e/serving.ts'
import { checkHealth, withinTime } from '../crawls.ts'
import { article, links, page, redirect, site } from '../server/answers.ts'
import type { Stage } from '../stage.ts'

/** Titles of pages, which are also their first words. */
export const PAYLOADS = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '</script><script>alert(2)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the payload.
  '${alert(1)}{{constructor.constructor("alert(1)")()}}',
  '=HYPERLINK("http://evil.example","click")',
  '+1+cmd|" /C calc"!A0',
  '-2+3',
  '@SUM(1)',
  ' \t=1+1',
  "'; DROP TABLE pages; --",
  '../../../../etc/passwd',
  'C:\\CON.txt',
  '\u001b]0;owned\u0007\u001b[31mred',
  'line\u2028separator\u2029and\u0085more',
  '{"level":"fatal","msg":"fake"}',
  'WARC/1.1\r\nWARC-Type: response',
  '\u202egnp.exe',
] as const

export type HostileStore = {
  readonly data: string
  readonly stderr: string
  readonly stdout: string
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Crawled once, with HTML and an index. */
export function hostileStore(stage: Stage): Promise<HostileStore> {
  return stage.once('store', async () => {
    const paths = PAYLOADS.map((_, n) => `/p${n}`)
    const odd = [
      "/quote'or'1'='1",
      '/%0d%0aSet-Cookie:a=b',
      '/..%2f..%2fetc',
      '/\u202egnp.exe',
      '/moved',
    ]
    const scripts = PAYLOADS.map((payload, n) =>
      page(
        `<html lang=en><title>${escaped(payload)}</title><meta name=description content="${escaped(payload).replaceAll('"', '&quot;')}"><h1>${escaped(payload)}</h1><p>${escaped(payload)} needle number ${n} stands in a text of some length about harbours and lanterns, so that there is something to find.</p><a href="javascript:alert(1)">x</a><a href="/p0">${escaped(payload)}</a>`,
        {
          headers:
            'x-odd: <script>alert(1)</script>\r\ncontent-disposition: attachment; filename="../../x"\r\n',
        },
      ),
    )
    stage.web.host({
      'd.test': site({
        '/': article('D', links(...paths, ...odd)),
        ...Object.fromEntries(paths.map((path, n) => [path, scripts[n] ?? 'nothing'])),
        '/moved': redirect('http://d.test/\u001b[31m%0d%0afake: line'),
        '*': (socket, request) => page(article(`D ${encodeURI(request.target)}`))(socket, request),
      }),
    })
    const data = join(stage.folder, 'store')
    const flags = [
      '--delay',
      '0',
      '--keep-html',
      '--index',
      '--verbose',
      '--json',
      '--data',
      data,
      ...stage.reach,
    ]
    const ran = await withinTime(jelajah(['crawl', 'http://d.test/', ...flags], { env: stage.env }))
    checkHealth(ran)
    return { data, stderr: ran.stderr, stdout: ran.stdout }
  })
}

/** A server over that store. */
export function storeServer(stage: Stage): Promise<Served> {
  return stage.keep('store server', async () => {
    const { data } = await hostileStore(stage)
    return await startServer(data, stage.reach)
  })
}
