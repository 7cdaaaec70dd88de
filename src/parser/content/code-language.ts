// The language of a code block, as the tools that colour code write it into class names:
// `<pre class="language-x">`, `<code class="lang-x">`, `<div class="highlight-x"><pre>`.
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import { type HtmlScanner, MARKUP } from '../html/html-scanner.ts'
import type { ContainerRows } from './outline-rows.ts'

const NAME = /(?:^|\s)(?:language|lang|highlight-source|highlight)-([\w+#.-]{1,30})(?=\s|$)/i
/** Said of code of which nobody said anything. */
const UNKNOWN = new Set(['default', 'none', 'text', 'plain', 'plaintext'])
const MAX_CLASS = 400
/** Tags within the block before its code, and containers around it, that may tell. */
const MAX_WITHIN = 3
const MAX_AROUND = 3
const LESS = 60
const SPACE = 32

/** '' when nothing tells. `row` is the container of the code, `page` a scanner that is open. */
export function codeLanguage(page: HtmlScanner, containers: ContainerRows, row: number): string {
  const { parent, sourceFrom } = containers
  page.at = sourceFrom[row] ?? 0
  for (let tags = 0; tags <= MAX_WITHIN; tags++) {
    if (page.bytes[page.at] !== LESS || page.read() === MARKUP.none) break
    const found = languageOf(page)
    if (found !== '' || (tags > 0 && page.element === ELEMENT.code)) return found
    while (page.at < page.length && (page.bytes[page.at] ?? 0) <= SPACE) page.at++
  }
  let around = parent[row] ?? 0
  for (let steps = 0; around > 0 && steps < MAX_AROUND; steps++) {
    page.at = sourceFrom[around] ?? 0
    const found = page.read() === MARKUP.startTag ? languageOf(page) : ''
    if (found !== '') return found
    around = parent[around] ?? 0
  }
  return ''
}

function languageOf(tag: HtmlScanner): string {
  const name = NAME.exec(tag.value(ATTRIBUTE.class).slice(0, MAX_CLASS))?.[1] ?? ''
  return UNKNOWN.has(name.toLowerCase()) ? '' : name
}
