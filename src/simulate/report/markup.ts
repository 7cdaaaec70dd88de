// HTML and SVG that cannot be broken by what is put into it: whatever is not Markup already is
// escaped, in text and in quoted attributes alike. Names of topics and hosts come from anywhere.
import { safeText } from '../../lib/terminal.ts'

export class Markup {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type Content = Markup | string | number | null | readonly Content[]

/** Numbers are written with at most two decimals: finer than any screen draws. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const written = parts.map((part, at) => part + write(contents[at] ?? null))
  return new Markup(written.join(''))
}

/** A command line whose words are not torn apart at their hyphens. */
export function commandLine(command: string): Markup {
  const words = safeText(command).split(' ')
  return html`<code>${words.map((word) => html`<span>${word}</span> `)}</code>`
}

function write(content: Content): string {
  if (content === null) return ''
  if (content instanceof Markup) return content.toString()
  if (typeof content === 'string') return escapeText(content)
  if (typeof content === 'number') return String(Number(content.toFixed(2)))
  return content.map(write).join('')
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Characters that XML cannot hold at all are dropped or replaced first. */
function escapeText(text: string): string {
  return safeText(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (char) => ESCAPED.get(char) ?? '')
}
