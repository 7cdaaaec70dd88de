// Text that is not shown, taken back once it was read: where it ends, and whether it is one of those
// parts that are hidden only until they are asked for. Such a part is judged when it ends, by its
// tag and by what is in it.
import type { Outline, OutlineMark } from '../content/outline.ts'
import type { AnchorReader } from '../parts/anchor-reader.ts'
import { HiddenContent } from './hidden-content.ts'
import { HIDDEN, hiddenKind } from './hidden-kind.ts'
import { ATTRIBUTE, ELEMENT, TRAIT, TRAITS } from './html-names.ts'
import type { HtmlScanner } from './html-scanner.ts'
import { StreamedParts } from './streamed-parts.ts'
import type { TextSink } from './text-sink.ts'

/** A menu is mostly links. */
const MAX_LINK_SHARE = 0.3
/** Of running text; as much as a few paragraphs, and more than any notice has. */
const MIN_PROSE_BYTES = 600
const CODE = new Set([ELEMENT.script, ELEMENT.style])

/** Where something begins: in the text, in the outline, and in the page. */
export type HiddenMark = OutlineMark & { readonly at: number }
const NO_MARK: HiddenMark = { text: 0, containers: 0, innermost: 0, at: 0 }

type HiddenSources = {
  readonly tag: HtmlScanner
  readonly text: TextSink
  readonly outline: Outline
  readonly anchors: AnchorReader
}

export class HiddenReader {
  readonly streamed = new StreamedParts()
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  readonly #outline: Outline
  readonly #anchors: AnchorReader
  /** What is certainly not shown, and around it what may be. */
  readonly #hidden = new HiddenContent()
  readonly #panel = new HiddenContent()
  #hiddenMark = NO_MARK
  #panelMark = NO_MARK
  #isPanel = false

  constructor({ tag, text, outline, anchors }: HiddenSources) {
    this.#tag = tag
    this.#text = text
    this.#outline = outline
    this.#anchors = anchors
  }

  /** Something is open that is not shown, or may not be. */
  isOpen = false
  /** Open templates: what is in them is no part of the page. */
  templates = 0

  open(): void {
    this.isOpen = false
    this.templates = 0
    this.#hidden.reset()
    this.#panel.reset()
    this.streamed.reset()
  }

  /** Ends what is still open with the page. */
  close(at: number): void {
    this.streamed.end(at, at, false)
    if (this.#hidden.isOpen) this.#dropHidden(at, at)
    if (this.#panel.isOpen) this.#judgePanel()
  }

  /** A start tag that stands at `at`, while something is open. */
  startWithin(at: number): void {
    const tag = this.#tag
    const isLine = ((TRAITS[tag.element] ?? 0) & TRAIT.block) !== 0
    if (this.#hidden.isOpen && this.#hidden.start(tag)) {
      this.#dropHidden(at, at)
      if (isLine) this.#text.line()
    }
    if (this.#panel.isOpen && this.#panel.start(tag)) {
      this.#judgePanel()
      if (isLine) this.#text.line()
    }
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** An end tag that stands at `at`, while something is open. */
  end(at: number): void {
    const tag = this.#tag
    if (this.#hidden.isOpen && this.#hidden.end(tag)) {
      // Its own end tag, or one of something around it.
      this.#dropHidden(at, tag.element === this.#hidden.root ? tag.at : at)
    }
    if (this.#panel.isOpen && this.#panel.end(tag)) this.#judgePanel()
    this.isOpen = this.#hidden.isOpen || this.#panel.isOpen
  }

  /** The element whose start tag was just read hides what is in it, if it can have anything. */
  take(at: number, isXml: boolean): void {
    const tag = this.#tag
    const { element } = tag
    if (this.#hidden.isOpen || element === ELEMENT.body || element === ELEMENT.html) return
    if (((TRAITS[element] ?? 0) & TRAIT.empty) !== 0 || (isXml && tag.selfClosing)) return
    if (!tag.has(ATTRIBUTE.hidden)) {
      this.hide()
      return
    }
    if (tag.value(ATTRIBUTE.hidden).toLowerCase() === 'until-found') return
    if (this.templates === 0) this.streamed.begin(tag, at)
    const kind = this.streamed.isOpen ? HIDDEN.apart : hiddenKind(tag)
    if (kind === HIDDEN.apart) this.hide()
    else if (!this.#panel.isOpen) this.#beginPanel(kind === HIDDEN.panel)
  }

  /** The element whose start tag was just read hides what is in it. */
  hide(): void {
    if (this.#hidden.isOpen) return
    this.#hidden.begin(this.#tag)
    this.#hiddenMark = this.mark()
    this.isOpen = true
  }

  startTemplate(at: number): void {
    if (this.templates === 0) this.streamed.notePlace(this.#tag, at)
    this.templates++
    this.hide()
  }

  /** What follows the start tag that was just read may be dropped later. */
  mark(): HiddenMark {
    const { containers, innermost } = this.#outline
    return { text: this.#text.mark, containers: containers.count, innermost, at: this.#tag.at }
  }

  /** Takes back all text from a mark on. */
  dropSince(mark: HiddenMark): void {
    this.#anchors.hideSince(mark.text, mark.at)
    this.#text.rewind(mark.text)
    this.#outline.rewind(mark)
  }

  #beginPanel(isPanel: boolean): void {
    this.#panel.begin(this.#tag)
    this.#panelMark = this.mark()
    this.#isPanel = isPanel
    this.isOpen = true
  }

  #dropHidden(at: number, to: number): void {
    this.streamed.end(at, to, this.templates === 0)
    // The code of a drawing is not what a link says.
    if (CODE.has(this.#hidden.root)) this.#text.rewind(this.#hiddenMark.text)
    this.dropSince(this.#hiddenMark)
  }

  #judgePanel(): void {
    const { textBytes, linkBytes, proseBytes } = this.#outline.amountSince(this.#panelMark.text)
    const isShown =
      linkBytes < MAX_LINK_SHARE * textBytes &&
      (this.#isPanel || (proseBytes >= MIN_PROSE_BYTES && proseBytes >= textBytes / 2))
    if (!isShown) this.dropSince(this.#panelMark)
  }
}
