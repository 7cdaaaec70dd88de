// What a healthy host gets in so many seconds: alone, beside one that answers a byte at a time, and
// beside forty of those, more than there are places for requests.
import { crawl, healthy, secondsGiven, serve, tarpit, tell } from './crawling.ts'

const seconds = secondsGiven(45)
const good = await serve(healthy)
const bad = await serve(tarpit)
const connectTo = [`good.test=${good.at}`, `*=${bad.at}`]
const args = ['--delay', '100']
const pagesBeside = async (...others: readonly string[]): Promise<number> => {
  const seeds = ['http://good.test/', ...others]
  const { hosts } = await crawl({ seeds, seconds, args, connectTo })
  return hosts['good.test'] ?? 0
}
const alone = await pagesBeside()
tell('a healthy host alone', alone, alone)
tell('beside a tarpit', await pagesBeside('http://tar.test/'), alone)
const many = Array.from({ length: 40 }, (_, n) => `http://tar${n}.test/`)
tell('beside forty tarpits', await pagesBeside(...many), alone)
good.close()
bad.close()
