// What 30 healthy hosts give in so many seconds: alone, and beside 200 whose names no server ever answers
// for. A name server on loopback plays them; `--system` asks through the system's own configuration, which
// then must lead to 127.0.0.1:53:
//
//   unshare -rnm sh -c 'ip link set lo up; echo nameserver 127.0.0.1 >/tmp/r; mount --bind /tmp/r /etc/resolv.conf;
//     sh scripts/node bench/hostile-neighbours/silent-names.ts --system'
import { serveNames } from '../../test/support/dns-server.ts'
import { crawl, healthy, secondsGiven, serve, tell } from './crawling.ts'

const HEALTHY = 30
const SILENT = 200

const seconds = secondsGiven(30)
const isSystem = process.argv.includes('--system')
const web = await serve(healthy)
const says = (name: string) => (name.includes('silent') ? 'silent' : (['127.0.0.1'] as const))
const names = await serveNames(says, isSystem ? 53 : 0)
const port = web.at.split(':')[1]
const seedsOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `http://www.${name}${n}.test:${port}/`)

async function pagesBeside(others: readonly string[]): Promise<number> {
  const args = ['--delay', '100', ...(isSystem ? [] : ['--dns', names.address])]
  const seeds = [...others, ...seedsOf('good', HEALTHY)]
  const { hosts } = await crawl({ seeds, seconds, args, connectTo: [] })
  return Object.values(hosts).reduce((sum, pages) => sum + pages, 0)
}

const alone = await pagesBeside([])
tell(`${HEALTHY} healthy hosts alone`, alone, alone)
const beside = await pagesBeside(seedsOf('silent', SILENT))
tell(`beside ${SILENT} names without an answer`, beside, alone)
web.close()
await names[Symbol.asyncDispose]()
