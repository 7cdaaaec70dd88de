// Promise 1: `kill -9` of any process at any moment, then the same command again: nothing is lost,
// nothing is stored twice, nobody is asked more often than needed or faster than allowed.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT, temporaryFolder } from './crawling.ts'
import { crawlOnce } from './kills.ts'

/** Of each crawl, one after the other. */
const SCOUTERS = [1, 3]
/** Over all crawls. test/e2e/many-kills.ts is for long runs. */
const KILLS = 20

test('a crawl whose processes are killed over and over ends with exactly the truth', async (t) => {
  let total = 0
  for (const [nth, scouters] of SCOUTERS.entries()) {
    const wanted = Math.ceil(KILLS / SCOUTERS.length)
    const { kills, broken } = await crawlOnce({ seed: 100 + nth, kills: wanted, scouters })
    assert.deepEqual(broken, [], `with ${scouters} scouters, after ${kills.length} kills`)
    total += kills.length
  }
  t.diagnostic(`${total} kills`)
  assert.ok(total >= KILLS, `only ${total} kills were possible`)
})

test('the check goes red when receipts leave before their pages are durable', async () => {
  await using checkout = await temporaryFolder()
  cpSync(join(ROOT, 'src'), join(checkout.path, 'src'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(checkout.path, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(checkout.path, 'node_modules'))
  breakSettleOrder(checkout.path)
  // The frontier counts pages that the store does not have, so that the crawl itself says what is wrong.
  const crawling = crawlOnce({ seed: 200, kills: 0, pages: 10, root: checkout.path })
  await assert.rejects(crawling, /exit code 12/)
})

/**
 * The receipt leaves when the page is parsed, nothing is saved before a second has passed, and half
 * a second after its tenth receipt the first parser that gets there is dead.
 */
function breakSettleOrder(checkout: string): void {
  const file = join(checkout, 'src', 'parser', 'page-saver.ts')
  const push = 'this.#batch.push(ready)'
  const early = "savedPage(ready, { outcome: 'stored', id: 0 })"
  const changes: readonly (readonly [RegExp | string, string])[] = [
    [/const BATCH_MS = \d+/, `${dieOnce(join(checkout, 'died'))}\nconst BATCH_MS = 1_000`],
    ['#isDue(): boolean {', '#isDue(): boolean {\n    if (BATCH_MS > 0) return false'],
    [
      push,
      `${push}; this.#options.onSaved([${early}], 0)
       if (this.#batch.length === 10) setTimeout(dieOnce, 500)`,
    ],
  ]
  let source = readFileSync(file, 'utf8')
  for (const [from, to] of changes) {
    const broken = source.replace(from, () => to)
    assert.notEqual(broken, source, `${file} has no ${from}`)
    source = broken
  }
  writeFileSync(file, source)
}

function dieOnce(mark: string): string {
  return `import { existsSync, writeFileSync } from 'node:fs'
    function dieOnce() {
      if (existsSync(${JSON.stringify(mark)})) return
      writeFileSync(${JSON.stringify(mark)}, '')
      process.kill(process.pid, 'SIGKILL')
    }`
}
