import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEAD, HOSTILE_PAGES, hostilePage } from '../../../test/html/hostile-pages.ts'
import { createRandom } from '../../../test/html/mutate.ts'
import { mutant } from '../../../test/html/mutate-bytes.ts'
import { PARTS } from '../../core/page.ts'
import { createUrlHasher } from '../../lib/url-hash.ts'
import { LinkResolver } from '../parts/link-resolver.ts'
import { takeParts } from '../parts/take-parts.ts'
import { HtmlReader, type HtmlReading } from './html-reader.ts'
import { PageMemory } from './page-memory.ts'

const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 300)
const FOLDER = join(import.meta.dirname, '../../../test/html/pages')
const PAGES = globSync('*.html', { cwd: FOLDER })
  .sort()
  .map((name) => readFileSync(join(FOLDER, name)))

const withModule = new HtmlReader({ hasModule: true })
const without = new HtmlReader({ hasModule: false })

/** Everything that was read, by name. */
function allOf(reading: HtmlReading): object {
  const { text, outline, notes, replaced } = reading
  const resolver = new LinkResolver()
  resolver.rebase(HEAD.url)
  const links = reading.links.resolve(resolver, HEAD.url, false, createUrlHasher(1)).rows
  const { parts } = takeParts({ reading, page: HEAD.url, resolver, links })
  const { blocks, containers } = outline
  const columns = { ...entriesOf(blocks, blocks.count), ...entriesOf(containers, containers.count) }
  const words = [...containers.words.subarray(0, containers.wordCount)]
  const { cut } = outline
  return structuredClone({
    ...{ text: text.text(), mark: text.mark, columns, words, cut, replaced: replaced.list },
    ...{ parts, notes: { ...notes } },
  })
}

function entriesOf(rows: object, count: number): Record<string, readonly number[]> {
  const columns = Object.entries(rows).filter(([name]) => name !== 'words')
  return Object.fromEntries(
    columns.map(([name, column]) => [`${rows.constructor.name}.${name}`, column.slice(0, count)]),
  )
}

function assertAlike(page: Buffer, name: string): void {
  const options = { isXml: false, parts: PARTS }
  const read = allOf(withModule.read(page, options))
  assert.deepEqual(read, allOf(without.read(page, options)), name)
}

test('WebAssembly and JavaScript read the same of whole and of damaged pages', () => {
  for (const [nth, page] of PAGES.entries()) assertAlike(page, `page ${nth}`)
  for (let round = 0; round < ROUNDS; round++) {
    const random = createRandom(7_000_003 + round)
    const [page, other] = [0, 1].map(() => PAGES[random(PAGES.length)]!)
    assertAlike(mutant(page!, other!, random).body, `round ${round}`)
  }
})

test('WebAssembly and JavaScript read the same of pages made to hurt', () => {
  for (const [name, page] of Object.entries(HOSTILE_PAGES)) {
    const size = Math.ceil(20_000 / page.piece(1000).length)
    assertAlike(hostilePage(page, size), name)
  }
})

const TAILS = [
  ...['<', '</', '</p', '<p', '<p a', '<p a=', '<p a="', '<p a="b', '<p a=b', '<p a="b"', '<p/'],
  ...['&', '&#', '&#1', '&#39', '&amp', '&lt', '&nbsp', '&x;', '\u00c2', '\u00a0', '\u00ad', '\0'],
  ...['<!', '<!-', '<!--', '<!-->', '<?', '</>', '</ ', '< ', '\r\n', '\x7f', '<pre>\r\n\t&nbsp;'],
]

test('a page may end anywhere', () => {
  for (const tail of TAILS) {
    for (const start of ['<p>words ', '<pre>lines\n ', '<p class="']) {
      assertAlike(Buffer.from(start + tail), `${start}${tail}`)
      assertAlike(Buffer.from(start + tail, 'latin1'), `${start}${tail}, bytes`)
    }
  }
})

test('text is copied alike at any distance from its end', () => {
  for (let length = 0; length < 40; length++) {
    const word = 'w'.repeat(length)
    assertAlike(Buffer.from(`<p>${word}  ${word} \n${word}<br>${word}&gt;${word}<b>x`), word)
    assertAlike(Buffer.from(`<pre>${word}  ${word}\r\n${word}\x01${word}&#65;${word}<b>x`), word)
  }
})

test('the memory of a giant page is not kept, and such a page is read alike', () => {
  const memory = new PageMemory({ hasModule: true })
  const usual = memory.buffer.byteLength
  memory.fit(20 << 20)
  assert.ok(memory.buffer.byteLength > 25 << 20)
  assert.equal(memory.load(Buffer.alloc(20 << 20)), null)
  memory.fit(1000)
  assert.ok(memory.buffer.byteLength <= usual)
  assertAlike(Buffer.from('<p>Some words &amp; more.</p>'.repeat(200_000)), 'giant')
  assertAlike(PAGES[0]!, 'the page behind it')
})
