// Pages of many kinds, written for this test: of each the main content is known, and all of it has to be found
// with little else. In the files it stands between <!--+--> and <!--/-->; the first line has the address.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { decodeHTML } from 'entities'
import { extract } from '../../bench/extraction/extract.ts'
import { wordScore } from '../../bench/extraction/metrics.ts'

const FOLDER = new URL('marked-pages/', import.meta.url)
const CONTENT = /<!--\+-->(.*?)<!--\/-->/gs
const MIN_RECALL = 0.9
const MIN_PRECISION = 0.75

type Page = { readonly url: string; readonly html: string; readonly content: string }

function readPage(name: string): Page {
  const written = readFileSync(new URL(name, FOLDER), 'utf8')
  const [, url = ''] = /^<!-- (\S+) -->\n/.exec(written) ?? []
  const parts = Array.from(written.matchAll(CONTENT), ([, part = '']) => part)
  const content = decodeHTML(parts.join('\n').replace(/<[^>]*>/g, ' '))
  return { url, content, html: written.replace(/^.*\n/, '').replace(/<!--[+/]-->/g, '') }
}

for (const name of readdirSync(FOLDER)) {
  test(`the main content of ${name} is found, and little else`, () => {
    const { url, html, content } = readPage(name)
    const { text } = extract(html, { url })
    const { recall, precision } = wordScore(content, text, true)
    assert.ok(recall >= MIN_RECALL, `recall ${recall} of:\n${text}`)
    assert.ok(precision >= MIN_PRECISION, `precision ${precision} of:\n${text}`)
  })
}
