// What a healthy host gets in so many seconds: alone, beside one that refuses every connection, and
// beside one that accepts them and never says a word.
import { crawl, healthy, secondsGiven, serve, silent, tell } from './crawling.ts'

const seconds = secondsGiven(45)
const good = await serve(healthy)
const mute = await serve(silent)
const gone = await serve(silent)
gone.close()
const args = ['--delay', '100']
const pagesBeside = async (...others: readonly string[]): Promise<number> => {
  const seeds = ['http://good.test/', ...others]
  const connectTo = [`good.test=${good.at}`, `mute*.test=${mute.at}`, `*=${gone.at}`]
  const { hosts } = await crawl({ seeds, seconds, args, connectTo })
  return hosts['good.test'] ?? 0
}
const alone = await pagesBeside()
tell('a healthy host alone', alone, alone)
tell('beside one that refuses connections', await pagesBeside('http://gone.test/'), alone)
tell('beside one that never answers', await pagesBeside('http://mute.test/'), alone)
good.close()
mute.close()
