import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = import.meta.dirname
const sources = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

test('nothing is ever written into the page but as text', () => {
  const unsafe =
    /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function/i
  const breaches = sources.filter(({ text }) => unsafe.test(text)).map(({ file }) => file)
  assert.deepEqual(breaches, [])
})

test('every link out of the dashboard is closed behind the reader', () => {
  for (const { file, text } of sources) {
    for (const [link] of text.matchAll(/target="_blank"[^>]*>/g)) {
      assert.match(link, /rel="noopener noreferrer nofollow"/, file)
    }
  }
})

test('nothing is loaded from anywhere else', () => {
  const elsewhere = /(?:src|href|url)\s*[=(:]\s*["'`]?\s*(?:https?:)?\/\/(?!example\.com)/i
  const styles = globSync('**/*.{css,html,svg}', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8').replaceAll('http://www.w3.org/2000/svg', ''),
  }))
  const breaches = [...sources, ...styles].filter(({ text }) => elsewhere.test(text))
  assert.deepEqual(
    breaches.map(({ file }) => file),
    [],
  )
})
