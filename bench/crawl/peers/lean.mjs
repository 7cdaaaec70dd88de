// The least that a crawler of Node could do: requests by undici, a pass of htmlparser2 over each page for title,
// text and links, nothing stored but the list of URLs. It shows what everything else costs.
// Usage: lean.mjs OPTIONS, one JSON object: { seeds, out, concurrency, perHost }
import { writeFileSync } from 'node:fs'
import { Parser } from 'htmlparser2'
import { Pool } from 'undici'

const { seeds, out, concurrency, perHost } = JSON.parse(process.argv[2])
const NOT_A_PAGE =
  /\.(?:txt|css|js|json|xml|png|jpe?g|gif|svg|ico|pdf|epub|ps|gz|xz|bz2|zip|tgz|tar|py|c|h|rst|inv|diff|patch|sh|csv|so|dat|bin)$/i

const pools = new Map()
const hosts = new Set(seeds.map((seed) => new URL(seed).host))
const known = new Set(seeds)
const waiting = [...seeds]
const pages = []
const sums = { characters: 0, links: 0 }
let running = 0
const busy = new Map()

function poolOf(url) {
  const { origin, port } = url
  // The C library does not resolve names below .localhost.
  if (!pools.has(origin)) {
    pools.set(origin, new Pool(`http://127.0.0.1:${port}`, { connections: perHost, pipelining: 1 }))
  }
  return pools.get(origin)
}

function read(html, pageUrl) {
  const found = new Map()
  let base = pageUrl
  let text = ''
  let title = ''
  let hidden = 0
  let inTitle = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'a' && attributes.href !== undefined) {
        const target = URL.parse(attributes.href, base)
        if (target === null || !target.protocol.startsWith('http')) return
        target.hash = ''
        if (target.href !== pageUrl) found.set(target.href, target)
      } else if (name === 'base' && attributes.href)
        base = URL.parse(attributes.href, pageUrl)?.href ?? base
      else if (name === 'script' || name === 'style' || name === 'noscript') hidden++
      else if (name === 'title') inTitle = true
    },
    ontext(piece) {
      if (inTitle) title += piece
      else if (hidden === 0) text += piece
    },
    onclosetag(name) {
      if (name === 'script' || name === 'style' || name === 'noscript') hidden--
      else if (name === 'title') inTitle = false
    },
  })
  parser.end(html)
  return { title: title.trim(), text: text.replace(/\s+/g, ' ').trim(), found }
}

async function visit(address) {
  const url = new URL(address)
  const path = url.pathname + url.search
  const { statusCode, headers, body } = await poolOf(url).request({
    ...{ path, method: 'GET', headers: { host: url.host } },
  })
  const html = await body.text()
  if (statusCode !== 200 || !String(headers['content-type']).includes('html')) return
  const { title, text, found } = read(html, address)
  pages.push(address)
  sums.characters += title.length + text.length
  sums.links += found.size
  for (const [next, target] of found) {
    if (known.has(next) || !hosts.has(target.host) || NOT_A_PAGE.test(target.pathname)) continue
    known.add(next)
    waiting.push(next)
  }
}

await new Promise((resolve) => {
  const pump = () => {
    for (let at = 0; at < waiting.length && running < concurrency; ) {
      const { host } = new URL(waiting[at])
      const own = busy.get(host) ?? 0
      if (own >= perHost) {
        at++
        if (at > 200) break
        continue
      }
      const [address] = waiting.splice(at, 1)
      running++
      busy.set(host, own + 1)
      const done = () => {
        running--
        busy.set(host, busy.get(host) - 1)
        pump()
      }
      visit(address).then(done, done)
    }
    if (running === 0 && waiting.length === 0) resolve()
  }
  pump()
})
writeFileSync(out, JSON.stringify({ pages, ...sums }))
process.exit(0)
