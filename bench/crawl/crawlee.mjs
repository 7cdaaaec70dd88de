// The other side of the comparison: Crawlee's CheerioCrawler, set up as its documentation advises
// for a static site and then tuned until it got no faster on the web of real pages.
//
// It keeps what Jelajah keeps (title, description, language, text, links with anchors) where its
// users keep it: in the default dataset on disk, written through before a page counts as done.
// Usage: crawlee.mjs OPTIONS, one JSON object: { seeds, storage, concurrency }
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

// The C library does not resolve names below .localhost; Crawlee has no setting for it. An answer
// without a system call is, if anything, to Crawlee's advantage.
const lookup = dns.lookup
dns.lookup = (name, options, done) => {
  const callback = done ?? options
  if (!name.endsWith('.localhost')) return lookup(name, options, done)
  const all = typeof options === 'object' && options?.all === true
  setImmediate(() => {
    if (all) callback(null, [{ address: '127.0.0.1', family: 4 }])
    else callback(null, '127.0.0.1', 4)
  })
}
syncBuiltinESMExports()

const { seeds, storage, concurrency } = JSON.parse(process.argv[2])
process.env.CRAWLEE_STORAGE_DIR = storage
process.env.CRAWLEE_PERSIST_STORAGE = 'true'
process.env.CRAWLEE_LOG_LEVEL = 'OFF'
// Reads /proc for its memory instead of starting ps every second.
process.env.CRAWLEE_SYSTEM_INFO_V2 = '1'
// Left alone it would hold itself back at a quarter of the machine's memory.
process.env.CRAWLEE_AVAILABLE_MEMORY_RATIO = '0.8'

const { CheerioCrawler, log } = await import('@crawlee/cheerio')
log.setLevel(log.LEVELS.OFF)

/** What Jelajah's own filter passes over: names that promise no page. */
const NOT_A_PAGE =
  /\.(?:txt|css|js|json|xml|png|jpe?g|gif|svg|ico|pdf|epub|ps|gz|xz|bz2|zip|tgz|tar|py|c|h|rst|inv|diff|patch|sh|csv|so|dat|bin)$/i

/** The page's links, each target once and without fragment, and those of them to visit. */
function readLinks($, pageUrl) {
  const base = URL.parse($('base').attr('href') ?? '', pageUrl)?.href ?? pageUrl
  const links = new Map()
  const next = []
  for (const a of $('a[href]')) {
    const target = URL.parse(a.attribs.href, base)
    if (target === null || !target.protocol.startsWith('http')) continue
    target.hash = ''
    const url = target.href
    // Jelajah keeps no links of a page to itself.
    if (url === pageUrl || links.has(url)) continue
    links.set(url, { url, anchor: $(a).text().trim(), rel: a.attribs.rel ?? '' })
    if (!NOT_A_PAGE.test(target.pathname)) next.push(url)
  }
  return { links: [...links.values()], next }
}

const crawler = new CheerioCrawler({
  minConcurrency: concurrency.min,
  maxConcurrency: concurrency.max,
  useSessionPool: false,
  persistCookiesPerSession: false,
  respectRobotsTxtFile: true,
  // Made-up browser headers cost some 5 % and serve nobody here.
  preNavigationHooks: [
    (_context, gotOptions) => {
      gotOptions.useHeaderGenerator = false
    },
  ],
  async requestHandler({ $, request, response, enqueueLinks, pushData }) {
    if (response.statusCode !== 200) return
    const { links, next } = readLinks($, request.loadedUrl)
    // Without `urls` it would also queue every fragment of a page, in batches with a second's
    // pause after each: a quarter slower on this web.
    await enqueueLinks({ strategy: 'same-hostname', urls: next })
    const title = $('title').first().text().trim()
    const description = $('meta[name="description"]').attr('content') ?? ''
    const language = $('html').attr('lang') ?? ''
    $('script, style, noscript, template').remove()
    const text = $('body').text().replace(/\s+/g, ' ').trim()
    await pushData({ url: request.loadedUrl, title, description, language, text, links })
  },
})

const { requestsFinished, requestsFailed } = await crawler.run(seeds)
process.stdout.write(`${JSON.stringify({ requestsFinished, requestsFailed })}\n`)
