// Pages in so many seconds of a web of 30,000 hosts with a page each: all under one domain, and with
// a domain each; and processor time and memory of the crawl.
import { type Crawled, crawl, secondsGiven, sendPage, serve } from './crawling.ts'

const HOSTS = 30_000
const PER_HUB = 500
const seconds = secondsGiven(60)

async function crawlWeb(nameOf: (host: number) => string): Promise<Crawled> {
  const web = await serve((request, response) => {
    const [, hub, number] = /^\/hub\/(\d+)$|^\/(\d*)$/.exec(request.url ?? '') ?? []
    if (hub !== undefined) {
      const hosts = Array.from({ length: PER_HUB }, (_, n) => Number(hub) * PER_HUB + n)
      const links = hosts.map((host) => `<a href="http://${nameOf(host)}/">${host}</a>`)
      sendPage(response, `Hub ${hub}`, links)
    } else if (number === '' && request.headers.host === 'hub.test') {
      const hubs = Array.from({ length: HOSTS / PER_HUB }, (_, n) => n)
      const links = hubs.map((each) => `<a href="/hub/${each}">${each}</a>`)
      sendPage(response, 'All hubs', links)
    } else if (number === '') {
      sendPage(response, `The page of ${request.headers.host}`, [])
    } else {
      response.writeHead(404).end()
    }
  })
  const args = ['--scope', 'any', '--delay', '0']
  try {
    return await crawl({
      ...{ seeds: ['http://hub.test/'], seconds, args },
      connectTo: [`*=${web.at}`],
    })
  } finally {
    web.close()
  }
}

for (const [what, nameOf] of [
  ['a domain each', (host: number) => `a${host}.test`],
  ['all under one domain', (host: number) => `a${host}.x.test`],
] as const) {
  const { stored, seconds: took, cpuSeconds, peakMb } = await crawlWeb(nameOf)
  const perMinute = Math.round((60 * stored) / took)
  const cpuMs = ((1000 * cpuSeconds) / Math.max(1, stored)).toFixed(1)
  console.log(
    `${what.padEnd(24)} ${perMinute} pages a minute, ${cpuMs} ms of CPU a page, ${peakMb} MB`,
  )
}
