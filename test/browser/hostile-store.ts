// Pages that are out to harm whoever looks at them: a small web of them, and rows worse than any
// parser would write, put into a store by SQL.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Whatever of it runs leaves a mark. */
const RUNS = 'window.harmed=1;alert(1)'
const MARKUP = `<img src=x onerror="${RUNS}"><script>${RUNS}</script><svg onload="${RUNS}">`
/** Turns the direction of writing, takes no room, is no character. */
const TRICKS = '\u202Egnp.exe\u202C \u2066\u200b\u0000\u0007\u001b[31m\ufeff'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function pageText(origin: string): string {
  return `<!doctype html><html lang="en"><head>
    <title>${escaped(MARKUP)} ${TRICKS}</title>
    <meta name="description" content="{{constructor.constructor('${RUNS}')()}}">
    <meta name="author" content="&lt;script&gt;${RUNS}&lt;/script&gt;">
    <script type="application/ld+json">{"@type":"</scr" ,"name":"${'x'.repeat(100)}"}</script>
    </head><body><main>
    <h1>${escaped(MARKUP)}</h1>
    <p>Words that a search finds: harmless aardvark. ${escaped(MARKUP).repeat(3)}</p>
    <p>${'More words so that this is the main content of the page, whatever comes. '.repeat(8)}</p>
    <a href="javascript:${RUNS}">javascript</a> <a href="data:text/html,<script>${RUNS}</script>">data</a>
    <a href="${origin}/two">${escaped(MARKUP)}</a> <a href="vbscript:x">vb</a>
    <img src="${origin}/canary.png" alt="${escaped(MARKUP).replaceAll('"', '&quot;')}" onerror="${RUNS}">
    <table><caption>${escaped(MARKUP)}</caption><tr><th>a</th><th>b</th></tr>
      <tr><td>${escaped(MARKUP)}</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>
    <ul><li>${escaped(MARKUP)}</li><li>two</li><li>three</li></ul>
    <form action="javascript:${RUNS}"><label>${escaped(MARKUP)}<input name="q" required></label></form>
    </main></body></html>`
}

export type HostileWeb = AsyncDisposable & {
  readonly seed: string
  /** How often a picture of it was asked for. */
  readonly canaries: () => number
}

export async function openHostileWeb(): Promise<HostileWeb> {
  let canaries = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://any')
    if (pathname === '/canary.png') canaries++
    if (pathname !== '/' && pathname !== '/two') {
      response.writeHead(404).end()
      return
    }
    const body = pageText(`http://${request.headers.host}`).replace(
      'aardvark',
      `aardvark ${pathname}`,
    )
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    seed: `http://127.0.0.1:${port}/`,
    canaries: () => canaries,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Makes one page of the store as bad as a row can be. */
export function plantHostileRow(dataDir: string, pageId: number): void {
  let deep: unknown = MARKUP
  for (let depth = 0; depth < 200; depth++) deep = { [MARKUP]: deep, list: [deep, MARKUP].slice(1) }
  const links = Array.from({ length: 5_000 }, () => [`javascript:${RUNS}`, MARKUP, MARKUP, MARKUP])
  const image = [`javascript:${RUNS}`, MARKUP, 1, 1]
  const table = { caption: MARKUP, headers: [MARKUP], rows: Array(2_000).fill([MARKUP, TRICKS]) }
  const form = {
    action: `javascript:${RUNS}`,
    method: MARKUP,
    fields: [{ label: MARKUP }, null, 7],
  }
  using db = new DatabaseSync(join(dataDir, 'jelajah.db'))
  db.prepare(`
    UPDATE pages SET title = ?, url = ?, description = ?, kind = ?, language = ?, content_type = ?,
      author = ?, canonical_url = ?, charset = ?, about = ?, content_text = ? WHERE id = ?`).run(
    `${MARKUP}${TRICKS}`.repeat(8_000),
    `javascript:${RUNS}//${'a'.repeat(20_000)}`,
    MARKUP.repeat(2_000),
    MARKUP,
    MARKUP,
    MARKUP,
    TRICKS,
    `javascript:${RUNS}`,
    MARKUP,
    JSON.stringify({
      [MARKUP]: deep,
      wide: Object.fromEntries(links.map((_, at) => [at, MARKUP])),
    }),
    `${MARKUP}\n${TRICKS}`.repeat(15_000),
    pageId,
  )
  db.prepare(`
    INSERT OR REPLACE INTO page_parts (page_id, links, images, tables, forms, lists, scripts, styles)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`).run(
    pageId,
    JSON.stringify(links),
    JSON.stringify([image, null, 3]),
    JSON.stringify([table, 'x', null]),
    JSON.stringify([form, [], null]),
    JSON.stringify([[MARKUP, 'x', 3, [MARKUP, [MARKUP], null]]]),
    JSON.stringify([[`javascript:${RUNS}`, MARKUP]]),
    JSON.stringify([[MARKUP, MARKUP]]),
  )
}
