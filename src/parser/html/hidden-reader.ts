// Removes hidden text after it was read: finds its end, and decides whether it is a part that only
// waits for a click. Such a part is judged at its end, by its tag and its content.
import type { Outline, OutlineMark } from '../content/outline.ts'
import type { AnchorReader } from '../parts/anchor-reader.ts'
import { END_EFFECT, HiddenContent } from './hidden-content.ts'
import { ATTRIBUTE, ELEMENT, TABLE_RANK, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'
import type { ReplacedParts } from './replaced-parts.ts'
import { StreamedParts } from './streamed-parts.ts'
import type { TextSink } from './text-sink.ts'

/** A menu is mostly links. */
const MAX_LINK_SHARE = 0.3
/** Characters of prose: a few paragraphs, and more than any notice has. */
const MIN_PROSE_BYTES = 600
const CODE = new Set([ELEMENT.script, ELEMENT.style])

/** A position in the text, in the outline, and in the page, after its start tag and before it. */
export type HiddenMark = OutlineMark & { readonly at: number; readonly from: number }
const NO_MARK: HiddenMark = { text: 0, containers: 0, innermost: 0, depth: 0, at: 0, from: 0 }

type HiddenSources = {
  readonly tag: HtmlScanner
  readonly text: TextSink
  readonly outline: Outline
  readonly anchors: AnchorReader
  readonly replaced: ReplacedParts
}

export class HiddenReader {
  readonly streamed = new StreamedParts()
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  readonly #outline: Outline
  readonly #anchors: AnchorReader
  readonly #replaced: ReplacedParts
  /** Content that is certainly hidden, and around it content that may be. */
  readonly #hidden = new HiddenContent()
  readonly #panel = new HiddenContent()
  #hiddenMark = NO_MARK
  #panelMark = NO_MARK
  #isPanel = false

  constructor({ tag, text, outline, anchors, replaced }: HiddenSources) {
    this.#tag = tag
    this.#text = text
    this.#outline = outline
    this.#anchors = anchors
    this.#replaced = replaced
  }

  /** A hidden or possibly hidden element is open. */
  isOpen = false
  /** The current content is certainly hidden. */
  get isHidden(): boolean {
    return this.#hidden.isOpen
  }

  /** Open templates: their content is not part of the page. */
  templates = 0
  #fencedTemplates = 0

  open(): void {
    this.isOpen = false
    this.templates = 0
    this.#hidden.reset()
    this.#panel.reset()
    this.streamed.reset()
  }

  /** Closes everything at the end of the page. */
  close(at: number): void {
    this.streamed.end(at, at, false)
    if (this.#hidden.isOpen) this.#dropHidden(at, at)
    if (this.#panel.isOpen) this.#judgePanel(at)
  }

  /** The open elements stay open until `unfence`, and those opened in between end there. */
  fence(): void {
    this.#hidden.fence()
    this.#panel.fence()
    this.#fencedTemplates = this.templates
  }

  unfence(at: number): void {
    this.templates = this.#fencedTemplates
    if (this.#hidden.unfence()) this.#dropHidden(at, at)
    if (this.#panel.unfence()) this.#judgePanel(at)
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** A start tag at `at`, while a hidden part is open. */
  startWithin(at: number): void {
    const tag = this.#tag
    const isLine = ((TRAITS[tag.element] ?? 0) & TRAIT.block) !== 0
    if (this.#hidden.isOpen && this.#startEnds(this.#hidden, this.#hiddenMark)) {
      this.#dropHidden(at, at)
      if (isLine) this.#text.line()
    }
    if (this.#panel.isOpen && this.#startEnds(this.#panel, this.#panelMark)) {
      this.#judgePanel(at)
      if (isLine) this.#text.line()
    }
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** An end tag at `at`, while a hidden part is open. */
  end(at: number): void {
    const tag = this.#tag
    if (this.#hidden.isOpen && this.#endEnds(this.#hidden, this.#hiddenMark)) {
      // Its own end tag, or that of an ancestor.
      this.#dropHidden(at, tag.element === this.#hidden.root ? tag.at : at)
    }
    if (this.#panel.isOpen && this.#endEnds(this.#panel, this.#panelMark)) {
      this.#judgePanel(tag.element === this.#panel.root ? tag.at : at)
    }
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** Whether a start tag ended a part, directly or by ending an ancestor in the outline. */
  #startEnds(part: HiddenContent, mark: HiddenMark): boolean {
    if (part.start(this.#tag)) return true
    if (part.root === ELEMENT.template || this.#outline.isOpen(mark)) return false
    part.leave()
    return true
  }

  #endEnds(part: HiddenContent, mark: HiddenMark): boolean {
    const ended = part.end(this.#tag)
    if (ended !== END_EFFECT.withOuter) return ended === END_EFFECT.yes
    if (!this.#outline.endsAround(this.#tag, mark)) return false
    part.leave()
    return true
  }

  /** A start tag at `at` ended the SVG or MathML around it. */
  leaveForeign(at: number): void {
    if (this.#hidden.leaveForeign()) this.#dropHidden(at, at)
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** The element whose start tag was just read hides its content, if it can have any. */
  take(at: number, isXml: boolean): void {
    const tag = this.#tag
    const { element } = tag
    if (this.#hidden.isOpen || element === ELEMENT.body || element === ELEMENT.html) return
    if (((TRAITS[element] ?? 0) & TRAIT.empty) !== 0 || (isXml && tag.selfClosing)) return
    // Cells outside tables and forms in forms are ignored.
    if ((TABLE_RANK[element] ?? 0) > 0 && !this.#outline.isInTable) return
    if (element === ELEMENT.form && this.#outline.isInForm) return
    if (!tag.has(ATTRIBUTE.hidden)) {
      this.hide(at)
      return
    }
    if (tag.value(ATTRIBUTE.hidden).toLowerCase() === 'until-found') return
    if (this.templates === 0) this.streamed.begin(tag, at)
    const kind = this.streamed.isOpen ? HIDDEN.apart : hiddenKind(tag)
    if (kind === HIDDEN.apart) this.hide(at)
    else if (!this.#panel.isOpen) this.#beginPanel(at, kind === HIDDEN.panel)
  }

  /** The element whose start tag was just read, at `at`, hides its content. */
  hide(at: number, isForeign = false): void {
    if (this.#hidden.isOpen) return
    this.#hidden.begin(this.#tag, { inLink: this.#outline.inLink, isForeign })
    this.#hiddenMark = this.mark(at)
    this.isOpen = true
  }

  startTemplate(at: number): void {
    if (this.templates === 0) this.streamed.notePlace(this.#tag, at)
    this.templates++
    this.hide(at)
  }

  /** The content after the start tag just read, at `from`, may be dropped later. */
  mark(from: number): HiddenMark {
    return { ...this.#outline.mark(), at: this.#tag.at, from }
  }

  /** Removes all text from a mark on, up to an offset in the page. */
  dropSince(mark: HiddenMark, to: number): void {
    this.#replaced.drop(mark.from, to)
    this.#anchors.hideSince(mark.text, mark.at)
    this.#text.rewind(mark.text)
    this.#outline.rewind(mark)
  }

  #beginPanel(at: number, isPanel: boolean): void {
    this.#panel.begin(this.#tag, { inLink: this.#outline.inLink, isForeign: false })
    this.#panelMark = this.mark(at)
    this.#isPanel = isPanel
    this.isOpen = true
  }

  #dropHidden(at: number, to: number): void {
    this.streamed.end(at, to, this.templates === 0)
    // The code of a drawing is not anchor text.
    if (CODE.has(this.#hidden.root)) this.#text.rewind(this.#hiddenMark.text)
    this.dropSince(this.#hiddenMark, to)
  }

  #judgePanel(to: number): void {
    const { textBytes, linkBytes, proseBytes } = this.#outline.amountSince(this.#panelMark.text)
    const isShown =
      linkBytes < MAX_LINK_SHARE * textBytes &&
      (this.#isPanel || (proseBytes >= MIN_PROSE_BYTES && proseBytes >= textBytes / 2))
    if (!isShown) this.dropSince(this.#panelMark, to)
  }
}

const HIDDEN = {
  /** Not part of the page's text: a menu, a dialog, data of a script. */
  apart: 0,
  /** The tag does not tell; the content may. */
  unclear: 1,
  /** Opened by a click on something above it. */
  panel: 2,
} as const
type HiddenKind = (typeof HIDDEN)[keyof typeof HIDDEN]

/** For class and id each; utility classes may be kilobytes long. */
const MAX_NAMES = 240
const APART =
  /modal|dialog|pop-?up|overlay|lightbox|drawer|cookie|consent|gdpr|banner|tooltip|toast|flash|alert|menu|nav(?![a-z])|navigation|sidebar|search|share|login|cart|newsletter|subscri|template|disclaimer/i
const PANEL = /accordion|collaps|expand|toggle|panel|faq|answer|(?:^|[^a-z])tabs?(?![a-z])/i
const ROLES = new Set(['', 'tabpanel', 'region', 'group', 'article', 'presentation', 'none'])
const APART_ELEMENTS = new Set([
  ELEMENT.aside,
  ELEMENT.dialog,
  ELEMENT.fieldset,
  ELEMENT.footer,
  ELEMENT.form,
  ELEMENT.header,
  ELEMENT.legend,
  ELEMENT.menu,
  ELEMENT.nav,
  ELEMENT.option,
  ELEMENT.search,
])

/**
 * Why an element is hidden, by its start tag. A tab panel or the answer below a question waits for a click
 * and belongs to the page; a menu or a cookie notice does not.
 */
function hiddenKind(tag: HtmlScanner): HiddenKind {
  if (((TRAITS[tag.element] ?? 0) & TRAIT.block) === 0 || APART_ELEMENTS.has(tag.element)) {
    return HIDDEN.apart
  }
  const role = tag.value(ATTRIBUTE.role)
  const names = `${namesOf(tag, ATTRIBUTE.class)} ${namesOf(tag, ATTRIBUTE.id)}`
  if (!ROLES.has(role) || APART.test(names)) return HIDDEN.apart
  const isLabelled = role === 'tabpanel' || tag.has(ATTRIBUTE['aria-labelledby'])
  return isLabelled || PANEL.test(names) ? HIDDEN.panel : HIDDEN.unclear
}

function namesOf(tag: HtmlScanner, attribute: number): string {
  if (!tag.has(attribute)) return ''
  const from = tag.valueFrom[attribute] ?? 0
  return tag.latin1.slice(from, Math.min(tag.valueTo[attribute] ?? 0, from + MAX_NAMES))
}
