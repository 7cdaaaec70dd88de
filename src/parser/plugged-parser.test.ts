import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise } from '../core/url.ts'
import { DEFAULT_SETTINGS } from '../options/settings.ts'
import { HookMark } from '../plugin/hook-mark.ts'
import { PageHooks } from '../plugin/page-hooks.ts'
import type { Plugin } from '../plugin/plugin.ts'
import type { HandoverHead } from '../wire/handover.ts'
import { PluggedParser } from './plugged-parser.ts'

const SENTENCE = 'Green tea is <b>steamed</b> by Ms Hidden after it was picked. '
const BODY = `<title>Tea</title><article><h1>Tea</h1><p>${SENTENCE.repeat(12)}</p></article>`

async function parsed(plugin: Plugin) {
  const url = canonicalise('http://a.test/')
  assert.ok(url)
  const { maxBodyBytes, maxLinksBytes } = DEFAULT_SETTINGS
  const options = { salt: 0, parts: [], keepHtml: false, markdown: true }
  const hooks = new PageHooks([plugin], new HookMark([plugin.name]))
  const parser = new PluggedParser({ ...options, maxBodyBytes, maxLinksBytes }, hooks, null)
  const head: HandoverHead = {
    ...{ kind: 'page', id: 1, token: 1, url, depth: 0, status: 200, contentType: 'text/html' },
    ...{ contentEncoding: '', robotsTag: [], etag: '', lastModified: '', fetchedAt: 1, fetchMs: 1 },
    truncated: false,
  }
  const result = await parser.parse(head, Buffer.from(BODY))
  assert.ok(result.outcome === 'page')
  return result.page.fields
}

test('what a plug-in takes out of the text is not in the Markdown either', async () => {
  const { contentText, markdown } = await parsed({
    name: 'discreet',
    parsed: (page) => ({ contentText: page.contentText.replaceAll('Ms Hidden', 'somebody') }),
  })
  assert.match(contentText, /steamed by somebody/)
  assert.equal(markdown, contentText)
})

test('the Markdown of a page whose text stays is as it was read', async () => {
  const { markdown } = await parsed({ name: 'titled', parsed: () => ({ title: 'Other' }) })
  assert.match(markdown, /\*\*steamed\*\* by Ms Hidden/)
})
