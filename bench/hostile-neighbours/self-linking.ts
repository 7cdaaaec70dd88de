// What a page of 10,000 numbered links costs under whose every address stands the same page: requests
// and bytes on disk for `--max-pages 20`; other spaces without end beside it; and an honest site of one
// template, of which nothing may be missing. `JELAJAH` may name another checkout's `bin/jelajah`.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { meter } from '../crawl/meter.ts'
import { type Answer, sendPage, serve } from './crawling.ts'

const LINKS = 10_000
const HONEST_PAGES = 3000
const SECONDS = 120

type Web = { readonly answer: Answer; readonly maxPages: number }

const numbered = Array.from({ length: LINKS }, (_, n) => `<a href="/p/${n}">${n}</a>`).join(' ')

const WEBS: Readonly<Record<string, Web>> = {
  'a page of 10,000 numbered links to itself': {
    maxPages: 20,
    answer: (_, response) => sendPage(response, 'Always the same', [numbered]),
  },
  'a path that grows in two words without end': {
    maxPages: 100,
    answer: ({ url = '/' }, response) => {
      const links = ['a', 'b'].map((word) => `<a href="${url === '/' ? '' : url}/${word}">x</a>`)
      sendPage(response, 'Deeper and deeper', links)
    },
  },
  'facets in all combinations': {
    maxPages: 100_000,
    answer: ({ url = '/' }, response) => {
      const chosen = new URLSearchParams(url.split('?')[1] ?? '')
      const links = Array.from({ length: 60 }, (_, n) => {
        const more = new URLSearchParams(chosen)
        more.set(`f${n % 12}`, String(n % 5))
        return `<a href="/shop?${more}">x</a>`
      })
      const words = [...chosen].map(([key, value]) => `${key} ${'abcde'[Number(value)]}`)
      sendPage(response, `Found for ${words.join(' and ')}`, links)
    },
  },
  'nothing but 403': {
    maxPages: 20,
    answer: ({ url }, response) => {
      if (url === '/') sendPage(response, 'Members only', [numbered])
      else response.writeHead(url === '/robots.txt' ? 404 : 403).end()
    },
  },
  [`an honest site of ${HONEST_PAGES} pages of one template`]: {
    maxPages: 100_000,
    answer: ({ url = '/' }, response) => {
      const id = Number(url.split('id=')[1] ?? 0)
      const links = Array.from({ length: 20 }, (_, n) => {
        const to = (20 * id + n + 1) % HONEST_PAGES
        return `<a href="/item?lang=en&view=full&cur=eur&id=${to}">${to}</a>`
      })
      const letters = Array.from(String(id), (digit) => 'abcdefghij'[Number(digit)]).join('')
      sendPage(response, `Item ${letters.repeat(4)}`, links)
    },
  },
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

async function measure(name: string, { answer, maxPages }: Web): Promise<void> {
  let requests = 0
  const server = await serve((request, response) => {
    requests += 1
    answer(request, response)
  })
  const folder = mkdtempSync(join(tmpdir(), 'bench-self-linking-'))
  const program = process.env.JELAJAH ?? join(import.meta.dirname, '../../bin/jelajah')
  try {
    const { stdout, stderr } = await meter({
      command: [
        program,
        ...['crawl', 'http://site.test/', '--data', folder, '--allow-private', '--json'],
        ...['--quiet', '--delay', '0', '--max-pages', `${maxPages}`, '--duration', `${SECONDS}`],
        ...['--connect-to', `*=${server.at}`],
      ],
      limitMs: (SECONDS + 60) * 1000,
    })
    if (stdout === '') throw new Error(`the crawl told nothing: ${stderr}`)
    const { stored, duplicates, refused, seconds } = JSON.parse(stdout)
    const mb = (bytesIn(folder) / 1e6).toFixed(1)
    console.log(
      `${name}\n  ${requests} requests, ${mb} MB on disk, ${stored} stored, ${duplicates} copies, ` +
        `${refused} refused, ${seconds} s`,
    )
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const only = process.argv.indexOf('--only')
const wanted = only < 0 ? '' : (process.argv[only + 1] ?? '')
for (const [name, web] of Object.entries(WEBS)) if (name.includes(wanted)) await measure(name, web)
