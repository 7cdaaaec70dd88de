// What a page says about itself in `<html>`, `<meta>`, `<link>` and `<base>`.
import { isRobotsMeta, type RobotsTag } from '../../core/robots-directives.ts'
import { ATTRIBUTE } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { shortened } from '../html/text-sink.ts'
import { MAX_REFRESH_SECONDS, parseRefresh } from './meta-refresh.ts'

const MAX_META = 2048
const MAX_REL = 200
const MAX_TAGS = 32
const HTML_TYPES = new Set(['', 'text/html', 'application/xhtml+xml'])
/** A language tag as BCP 47 has it, roughly: `id`, `en-us`, `zh-hant-tw`. */
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,4}$/
const BLANKS = /\s{2,}|[\n\r\t\f]/g

export class PageNotes {
  title = ''
  description = ''
  keywords = ''
  author = ''
  language = ''
  html5 = false
  /** The head's first rel=canonical, as written. */
  canonicalHref = ''
  /** The first `<base>` that has a href, as written; null when there is none. */
  baseHref: string | null = null
  /** Targets of meta refresh and of rel=next, prev and alternate: href and rel. */
  readonly links: (readonly [href: string, rel: string])[] = []
  readonly robots: RobotsTag[] = []
  #socialDescription = ''
  #metaLanguage = ''

  takeHtml(tag: HtmlScanner): void {
    if (this.language !== '') return
    const value = tag.value(ATTRIBUTE.lang) || tag.value(ATTRIBUTE['xml:lang'])
    this.language = languageTag(value)
  }

  takeBase(tag: HtmlScanner): void {
    if (tag.has(ATTRIBUTE.href)) this.baseHref ??= tag.value(ATTRIBUTE.href)
  }

  takeMeta(tag: HtmlScanner): void {
    if (!tag.has(ATTRIBUTE.content)) return
    const pragma = tag.has(ATTRIBUTE['http-equiv'])
      ? tag.value(ATTRIBUTE['http-equiv']).trim().toLowerCase()
      : ''
    if (pragma !== '') this.#takePragma(pragma, tag)
    const name = tag.value(ATTRIBUTE.name) || tag.value(ATTRIBUTE.property)
    if (name !== '' && name.length < 64) this.#takeNamed(name.trim().toLowerCase(), tag)
  }

  takeLink(tag: HtmlScanner, inHead: boolean): void {
    if (!tag.has(ATTRIBUTE.rel) || !tag.has(ATTRIBUTE.href)) return
    const rel = relOf(tag)
    const tokens = rel.split(' ')
    if (tokens.includes('canonical')) {
      // In the body anybody may have written it: a comment, a forum post.
      if (inHead && this.canonicalHref === '') this.canonicalHref = tag.value(ATTRIBUTE.href)
    } else if (leadsToPage(tokens, tag)) {
      this.#addLink(tag.value(ATTRIBUTE.href), rel)
    }
  }

  /** Once all was read: what was said in the second-best place. */
  finish(): void {
    if (this.description === '') this.description = this.#socialDescription
    if (this.language === '') this.language = this.#metaLanguage
  }

  #takePragma(pragma: string, tag: HtmlScanner): void {
    const content = tag.value(ATTRIBUTE.content)
    if (pragma === 'content-language' && this.#metaLanguage === '') {
      this.#metaLanguage = languageTag(content.slice(0, 64).split(',')[0] ?? '')
    } else if (pragma === 'refresh') {
      const refresh = parseRefresh(content)
      if (refresh !== null && refresh.delaySeconds <= MAX_REFRESH_SECONDS) {
        this.#addLink(refresh.href, '')
      }
    }
  }

  #takeNamed(name: string, tag: HtmlScanner): void {
    switch (name) {
      case 'description':
        if (this.description === '') this.description = contentOf(tag)
        break
      case 'og:description':
        if (this.#socialDescription === '') this.#socialDescription = contentOf(tag)
        break
      case 'keywords':
        if (this.keywords === '') this.keywords = contentOf(tag)
        break
      case 'author':
        if (this.author === '') this.author = contentOf(tag)
        break
      default:
        if (isRobotsMeta(name) && this.robots.length < MAX_TAGS) {
          this.robots.push({ name, content: contentOf(tag) })
        }
    }
  }

  #addLink(href: string, rel: string): void {
    if (this.links.length < 4 * MAX_TAGS) this.links.push([href, rel])
  }
}

/** The tag's rel tokens, lower case, one space between two. */
export function relOf(tag: HtmlScanner): string {
  if (!tag.has(ATTRIBUTE.rel)) return ''
  return tidied(shortened(tag.value(ATTRIBUTE.rel), MAX_REL)).toLowerCase()
}

/** White space collapsed and none at the ends. */
export function tidied(text: string): string {
  return text.replace(BLANKS, ' ').trim()
}

function contentOf(tag: HtmlScanner): string {
  return shortened(tidied(shortened(tag.value(ATTRIBUTE.content), 4 * MAX_META)), MAX_META)
}

function leadsToPage(tokens: readonly string[], tag: HtmlScanner): boolean {
  if (tokens.includes('next') || tokens.includes('prev')) return true
  if (!tokens.includes('alternate') || tokens.includes('stylesheet')) return false
  return HTML_TYPES.has(tag.value(ATTRIBUTE.type).trim().toLowerCase())
}

function languageTag(value: string): string {
  const tag = value.trim().toLowerCase().replaceAll('_', '-')
  return LANGUAGE.test(tag) ? tag : ''
}
