import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type SitemapOptions, streamSitemap } from './read-sitemap.ts'
import type { Sitemap, SitemapUrl } from './sitemap-xml.ts'

const URLSET = 'urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const loc = (path: string) => `<url><loc>http://a.test${path}</loc></url>`

async function parse(
  body: string | Uint8Array,
  given: Partial<SitemapOptions> = {},
): Promise<Sitemap> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const options = { url: 'http://a.test/sitemap.xml', contentType: null, ...given }
  const urls: SitemapUrl[] = []
  const end = await streamSitemap(bytes, options, (some) => urls.push(...some))
  if (!end.ok) return { kind: 'none', urls, sitemaps: [], truncated: true }
  const { kind, sitemaps, truncated } = end
  return { kind, urls, sitemaps, truncated }
}

function pathsOf({ urls }: Sitemap): string[] {
  return urls.map(({ url }) => url.replace('http://a.test', ''))
}

test('a list of URLs is read with the time of their last change', async () => {
  const sitemap = await parse(`<?xml version="1.0"?>
    <${URLSET}>
      <url>
        <loc> http://a.test/1?a=1&amp;b=2#c
        </loc>
        <lastmod>2024-05-12</lastmod>
        <changefreq>daily</changefreq>
      </url>
      <url><lastmod>2024-05-12T01:00:00+07:00</lastmod><loc><![CDATA[http://A.test/2?a&b]]></loc></url>
      <url><loc>http://b.test/3</loc><lastmod>99999-01-01</lastmod></url>
      <url><loc>http://b.test/4</loc><lastmod>yesterday 1</lastmod></url>
    </urlset>`)
  assert.deepEqual(sitemap, {
    kind: 'urls',
    urls: [
      { url: 'http://a.test/1?a=1&b=2', lastModified: Date.UTC(2024, 4, 12) },
      { url: 'http://a.test/2?a&b', lastModified: Date.UTC(2024, 4, 11, 18) },
      { url: 'http://b.test/3' },
      { url: 'http://b.test/4' },
    ],
    sitemaps: [],
    truncated: false,
  })
})

test('an index names further sitemaps', async () => {
  const sitemap = await parse(`<sitemapindex><sitemap><loc>http://a.test/1.xml.gz</loc>
    <lastmod>2024-05-12</lastmod></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`)
  assert.equal(sitemap.kind, 'index')
  assert.deepEqual(sitemap.sitemaps, ['http://a.test/1.xml.gz', 'http://a.test/2.xml'])
  assert.deepEqual(sitemap.urls, [])
})

test('pages are distinguished from their images, videos and translations', async () => {
  const sitemap =
    await parse(`<${URLSET} xmlns:image="i" xmlns:xhtml="x"><url><loc>http://a.test/1</loc>
    <image:image><image:loc>http://a.test/i.jpg</image:loc></image:image>
    <xhtml:link rel="alternate" hreflang="de" href="http://a.test/de"/>
    <video:video><video:player_loc>http://a.test/v</video:player_loc></video:video>
    </url></urlset>`)
  assert.deepEqual(pathsOf(sitemap), ['/1'])
})

test('namespaces may be prefixed, missing or wrong', async () => {
  const forms = [
    '<s:urlset xmlns:s="x"><s:url><s:loc>http://a.test/1</s:loc></s:url></s:urlset>',
    `<urlset>${loc('/1')}</urlset>`,
    `<urlset xmlns="http://wrong.test/">${loc('/1')}</urlset>`,
    '<URLSET><URL><LOC>http://a.test/1</LOC></URL></URLSET>',
  ]
  for (const form of forms) assert.deepEqual(pathsOf(await parse(form)), ['/1'], form)
})

test('feeds give the links of their entries', async () => {
  const rss = await parse(`<rss><channel><title>x</title><link>http://a.test/</link>
    <atom:link href="http://a.test/rss" rel="self"/>
    <image><url>http://a.test/logo.png</url><link>http://a.test/</link></image>
    <item><link>http://a.test/1</link><guid>http://a.test/?p=1</guid>
      <pubDate>Sun, 12 May 2024 00:00:00 GMT</pubDate></item>
    <item><guid>http://a.test/2</guid></item>
    <item><guid isPermaLink="false">http://a.test/3</guid></item>
    <item><link><![CDATA[http://a.test/4]]></link></item></channel></rss>`)
  assert.equal(rss.kind, 'feed')
  assert.deepEqual(pathsOf(rss), ['/1', '/2', '/4'])
  assert.equal(rss.urls[0]?.lastModified, Date.UTC(2024, 4, 12))
  const atom = await parse(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/"/>
    <entry><link href="http://a.test/1?a&amp;b"/><updated>2024-05-12T00:00:00Z</updated></entry>
    <entry><link rel="edit" href="/e"/><link rel="alternate" href="/2"/></entry></feed>`)
  assert.deepEqual(pathsOf(atom), ['/1?a&b', '/2'])
  assert.equal(atom.urls[0]?.lastModified, Date.UTC(2024, 4, 12))
  const rdf = await parse('<rdf:RDF><channel/><item><link>http://a.test/1</link></item></rdf:RDF>')
  assert.deepEqual(pathsOf(rdf), ['/1'])
})

test('a plain list has one URL per line', async () => {
  const sitemap = await parse(
    '\ufeffhttp://a.test/1\r\n  https://a.test/2  \r# note\nftp://a.test/3\n\nx\n',
  )
  assert.equal(sitemap.kind, 'text')
  assert.deepEqual(sitemap.urls, [{ url: 'http://a.test/1' }, { url: 'https://a.test/2' }])
})

test('the bytes tell the format, not the headers', async () => {
  const xml = `<${URLSET}>${loc('/1')}</urlset>`
  const forms: readonly (string | Uint8Array)[] = [
    xml,
    `\n\n  ${xml}`,
    `Warning: something in line 3\n${xml}`,
    gzipSync(xml),
    gzipSync(gzipSync(xml)),
    Buffer.from(`\ufeff${xml}`, 'utf16le'),
    Buffer.from('http://a.test/1'),
    gzipSync('http://a.test/1'),
  ]
  for (const form of forms) {
    for (const contentType of ['text/xml', 'text/plain', 'application/gzip', 'text/html', 'x']) {
      assert.deepEqual(
        pathsOf(await parse(form, { contentType })),
        ['/1'],
        `${contentType} ${form}`,
      )
    }
  }
})

test('other charsets are read as declared', async () => {
  const xml = `<?xml version="1.0" encoding="iso-8859-1"?><urlset>${loc('/é')}</urlset>`
  assert.deepEqual(pathsOf(await parse(Buffer.from(xml, 'latin1'))), ['/%C3%A9'])
  const bare = Buffer.from(`<urlset>${loc('/é')}</urlset>`, 'latin1')
  assert.deepEqual(pathsOf(await parse(bare, { contentType: 'text/xml; charset=latin1' })), [
    '/%C3%A9',
  ])
})

test('an HTML page in the place of a sitemap has no entries', async () => {
  const bodies = [
    '',
    ' ',
    '<!doctype html><html><a href="http://a.test/x">x</a></html>',
    '{}',
    '\u0000',
  ]
  for (const body of bodies) {
    assert.deepEqual(
      await parse(body),
      { kind: 'none', urls: [], sitemaps: [], truncated: false },
      body,
    )
  }
})

test('broken files give their complete entries', async () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    [`<urlset>${loc('/1')}<url><loc>http://a.test/2</loc>`, ['/1', '/2']],
    ['<urlset><url><loc>http://a.test/1<loc>http://a.test/2</url></urlset>', ['/1', '/2']],
    [
      `<urlset><url><loc>http://a.test/1</loc><url><loc>http://a.test/2</loc></urlset>`,
      ['/1', '/2'],
    ],
    [`<urlset></url></x>${loc('/1')}</url></urlset>`, ['/1']],
    [
      `<urlset><url><loc>http://a.test/1</loc><loc>http://a.test/2</loc></url></urlset>`,
      ['/1', '/2'],
    ],
    [`<urlset><url><loc>mailto:x</loc></url><url><loc></loc></url>${loc('/1')}</urlset>`, ['/1']],
    [`<urlset><url><loc>a page</loc></url>${loc('/1')}</urlset>`, ['/1']],
    [`<urlset><url title="x><loc>http://a.test/1</loc></url>${loc('/2')}</urlset>`, ['/2']],
  ]
  for (const [body, paths] of cases) assert.deepEqual(pathsOf(await parse(body)), paths, body)
})

test('a file that ends too early is flagged', async () => {
  const whole = `<urlset>${loc('/1')}${loc('/2')}</urlset>`
  assert.equal((await parse(whole)).truncated, false)
  assert.equal((await parse(whole.slice(0, -20))).truncated, true)
  const zipped = gzipSync(whole.repeat(2))
  const cut = await parse(zipped.subarray(0, zipped.length - 8))
  assert.equal(cut.truncated, true)
  assert.deepEqual(pathsOf(cut).slice(0, 2), ['/1', '/2'])
})

test('limits hold', async () => {
  const many = Array.from({ length: 60_000 }, (_, i) => loc(`/${i}`)).join('')
  const all = await parse(`<urlset>${many}</urlset>`)
  assert.deepEqual([all.urls.length, all.truncated], [50_000, true])
  const few = await parse(`<urlset>${many}</urlset>`, { maxUrls: 2 })
  assert.deepEqual([pathsOf(few), few.truncated], [['/0', '/1'], true])
  const text = await parse('http://a.test/1\nhttp://a.test/2\nhttp://a.test/3', { maxUrls: 2 })
  assert.deepEqual([pathsOf(text), text.truncated], [['/1', '/2'], true])
  const exact = await parse(`<urlset>${loc('/1')}${loc('/2')}</urlset>`, { maxUrls: 2 })
  assert.equal(exact.truncated, false)
})

test('entities, external files and bombs have no effect', async () => {
  const laughs = `<!DOCTYPE urlset [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///x">]>
    <urlset><url><loc>&f;</loc></url><url><loc>http://a.test/&b;</loc></url></urlset>`
  assert.deepEqual(pathsOf(await parse(laughs)), ['/&b;'])
  const bomb = await parse(gzipSync(Buffer.alloc(60 * 1024 * 1024, ' ')))
  assert.deepEqual([bomb.urls, bomb.truncated], [[], true])
  assert.equal((await parse(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).kind, 'none')
  assert.equal((await parse(`<urlset>${'<x>'.repeat(100_000)}`)).kind, 'urls')
})
