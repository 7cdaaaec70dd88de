// `<jelajah-search key="…">`: a search box for any site, as one file without dependencies (search.js).
//
// It is a combobox with a list (ARIA APG): the focus stays in the input, and the active option is named by
// aria-activedescendant. Results are links, so that they can be opened in another tab. All texts come from the
// web: they are written as text, and only http and https become links.
import { safeHref, visible } from '../web-text.ts'
import { type Answer, ask, type PublicResult } from './ask.ts'
import { STYLE } from './style.ts'
import { type Words, wordsFor } from './words.ts'

type Hit = PublicResult['hits'][number]

const DEBOUNCE_MS = 180
/** The pages are being indexed. */
const LOOK_AGAIN_MS = 2000
const MAX_QUERY = 200
const MAX_OFFSET = 200
const DEFAULT_LIMIT = 8
const MAX_LIMIT = 20

// Null in a module, where the attribute `server` says it.
const { currentScript } = document
const LOADED_FROM = currentScript instanceof HTMLScriptElement ? currentScript.src : location.href

class SearchBox extends HTMLElement {
  readonly #input = make('input', 'input')
  readonly #panel = make('div', 'panel')
  readonly #note = make('p', 'note')
  readonly #list = make('div', 'list')
  /** Heard by screen readers. */
  readonly #status = make('div', 'heard')
  #words: Words = wordsFor('')
  #timer: ReturnType<typeof setTimeout> | undefined
  #asking = new AbortController()
  /** What the list shows results of. */
  #asked = ''
  #hits: readonly Hit[] = []
  #active = -1

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    const style = new CSSStyleSheet()
    style.replaceSync(STYLE)
    root.adoptedStyleSheets = [style]
    const form = make('form', 'form')
    this.#panel.append(this.#note, this.#list)
    form.append(this.#input)
    root.append(form, this.#panel, this.#status)
    set(form, { role: 'search' })
    set(this.#list, { role: 'listbox', id: 'list' })
    set(this.#status, { role: 'status' })
    set(this.#input, {
      ...{ role: 'combobox', 'aria-autocomplete': 'list', 'aria-controls': 'list' },
      ...{ type: 'text', enterkeyhint: 'search', maxlength: String(MAX_QUERY) },
      ...{ autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' },
    })
    form.addEventListener('submit', (event) => event.preventDefault())
    this.#input.addEventListener('input', (event) => {
      // A character that is still being composed is no word yet.
      if (!(event instanceof InputEvent) || !event.isComposing) this.#askSoon(DEBOUNCE_MS)
    })
    this.#input.addEventListener('compositionend', () => this.#askSoon(DEBOUNCE_MS))
    this.#input.addEventListener('keydown', (event) => this.#onKey(event))
    this.#input.addEventListener('focus', () => {
      if (this.#hits.length === 0) this.#askSoon(0)
      else this.#open(this.#asked !== '')
    })
    // The focus stays in the input while an option is clicked.
    this.#panel.addEventListener('mousedown', (event) => event.preventDefault())
    this.addEventListener('focusout', () => this.#open(false))
    this.#open(false)
  }

  connectedCallback(): void {
    const lang = this.closest('[lang]')?.getAttribute('lang') ?? document.documentElement.lang
    this.#words = wordsFor(lang)
    const { label, placeholder, results } = this.#words
    const named = this.#attribute('label') || label
    set(this.#input, {
      'aria-label': named,
      placeholder: this.#attribute('placeholder') || placeholder,
    })
    set(this.#list, { 'aria-label': results })
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer)
    this.#asking.abort()
  }

  override focus(options?: FocusOptions): void {
    this.#input.focus(options)
  }

  #attribute(name: string): string {
    return this.getAttribute(name)?.trim() ?? ''
  }

  // Asking.

  #askSoon(afterMs: number): void {
    clearTimeout(this.#timer)
    this.#asking.abort()
    const text = this.#input.value.trim()
    // One letter says nothing, one character of another script may be a word.
    if (/^[\x20-\x7f]?$/.test(text)) this.#forget()
    else this.#timer = setTimeout(() => void this.#ask(text, 0), afterMs)
  }

  async #ask(text: string, offset: number): Promise<void> {
    clearTimeout(this.#timer)
    this.#asking.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    const limit = Math.min(MAX_LIMIT, Number(this.#attribute('limit')) || DEFAULT_LIMIT)
    const server = new URL(this.#attribute('server') || '.', LOADED_FROM).href.replace(/\/?$/, '/')
    const keys = { key: this.#attribute('key'), crawl: this.#attribute('crawl') }
    const answer = await ask({ server, ...keys, text, limit, offset }, signal)
    if (answer === null || signal.aborted) return
    this.#asked = text
    if (answer.outcome === 'found') this.#show(answer.result, offset)
    else this.#tellTrouble(answer)
  }

  #tellTrouble(answer: Exclude<Answer, { readonly outcome: 'found' }>): void {
    this.#hits = []
    this.#list.replaceChildren()
    this.#tell(this.#words[answer.outcome])
    if (answer.outcome === 'busy' && this.#isFocused()) this.#askSoon(answer.waitMs)
  }

  #forget(): void {
    this.#asked = ''
    this.#status.textContent = ''
    this.#open(false)
  }

  // Showing.

  #show({ hits, total, suggestion, words: goingOn, index }: PublicResult, offset: number): void {
    const words = this.#words
    this.#hits = offset === 0 ? hits : [...this.#hits, ...hits]
    const options = this.#hits.map((hit) => this.#optionOf(hit))
    const { length: results } = options
    const meant = suggestion === null ? [] : [suggestion]
    const others = [
      ...meant.map((text) => this.#queryOption(text, filled(words.meant, { q: visible(text) }))),
      ...goingOn.map((text) => this.#queryOption(text, visible(text))),
    ]
    options.unshift(...others)
    const shown = this.#hits.length
    const hasMore = hits.length > 0 && shown < total && shown <= MAX_OFFSET
    if (hasMore) {
      const more = otherOption(words.more)
      more.addEventListener('click', () => void this.#ask(this.#asked, shown))
      options.push(more)
    }
    for (const [at, option] of options.entries()) {
      set(option, { id: `o${at}`, role: 'option', tabindex: '-1' })
    }
    this.#list.replaceChildren(...options)
    if (total > 0)
      this.#tell('', filled(total === 1 ? words.one : words.many, { n: String(total) }))
    else this.#tellNothing(index)
    // After more of them, the first new one is the active one.
    this.#activate(offset > 0 ? others.length + results - hits.length : -1)
  }

  #tellNothing(index: PublicResult['index']): void {
    const { nothing, empty, indexing } = this.#words
    const isMoving = index === 'none' || index === 'behind'
    if (index === 'ready') this.#tell(filled(nothing, { q: visible(this.#asked) }))
    else this.#tell(isMoving ? indexing : empty)
    if (isMoving && this.#isFocused()) this.#askSoon(LOOK_AGAIN_MS)
  }

  /** `note` is seen and heard, `heard` only heard. */
  #tell(note: string, heard = note): void {
    this.#note.textContent = note
    this.#note.hidden = note === ''
    this.#status.textContent = heard
    this.#open(true)
  }

  #open(isWanted: boolean): void {
    const options = this.#list.childElementCount
    const isOpen = isWanted && (options > 0 || !this.#note.hidden) && this.#isFocused()
    this.#panel.hidden = !isOpen
    this.#list.hidden = options === 0
    set(this.#input, { 'aria-expanded': String(isOpen && options > 0) })
    if (!isOpen) this.#activate(-1)
  }

  #isFocused(): boolean {
    return this.shadowRoot?.activeElement === this.#input
  }

  #activate(at: number): void {
    const options = [...this.#list.children]
    this.#active = at
    for (const [nth, option] of options.entries()) {
      set(option, { 'aria-selected': String(nth === at) })
    }
    const active = options[at]
    active?.scrollIntoView({ block: 'nearest' })
    if (active === undefined) this.#input.removeAttribute('aria-activedescendant')
    else set(this.#input, { 'aria-activedescendant': active.id })
  }

  #optionOf({ url, title, snippet, title_marks, snippet_marks }: Hit): HTMLElement {
    const option = make('a', 'option')
    const href = safeHref(url)
    if (href !== null) set(option, { href, rel: 'noopener' })
    const name = make('span', 'title')
    if (title.trim() === '') name.textContent = this.#words.untitled
    else mark(name, title, title_marks)
    const address = make('span', 'url')
    address.textContent = visible(url.replace(/^https?:\/\//, ''), 100)
    const text = make('span', 'snippet')
    mark(text, snippet, snippet_marks)
    for (const part of [name, text]) part.dir = 'auto'
    option.append(name, address, text)
    return option
  }

  /** Another query. */
  #queryOption(text: string, words: string): HTMLElement {
    const option = otherOption(words)
    option.addEventListener('click', () => {
      this.#input.value = text
      void this.#ask(text, 0)
    })
    return option
  }

  // The keyboard.

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const isOpen = !this.#panel.hidden
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.#step(event.key === 'ArrowDown' ? 1 : -1)
        break
      case 'Enter':
        this.#enter(event)
        break
      case 'Escape':
        if (!isOpen) this.#input.value = ''
        if (!isOpen) this.#askSoon(0)
        this.#open(false)
        break
      default:
        return
    }
    event.preventDefault()
  }

  /** From the last option to the input, and from there to the first. */
  #step(by: number): void {
    this.#open(true)
    const places = this.#list.childElementCount + 1
    if (!this.#panel.hidden) this.#activate(((this.#active + 1 + by + places) % places) - 1)
  }

  #enter({ ctrlKey, metaKey, shiftKey }: KeyboardEvent): void {
    const active = this.#list.children[this.#active]
    // With the keys that open another tab or window.
    const how = { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }
    if (active === undefined) this.#askSoon(0)
    else active.dispatchEvent(new MouseEvent('click', how))
  }
}

/** Its class is also the name of its part. */
function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  part: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  set(element, { class: part, part })
  return element
}

function set(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

/** An option that is no result. */
function otherOption(text: string): HTMLElement {
  const option = make('div', 'option')
  const words = make('span', 'other')
  words.textContent = text
  option.append(words)
  return option
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w)\}/g, (_, name: string) => values[name] ?? '')
}

/** Writes a text with its marks; places are [start, end). */
function mark(to: Element, text: string, marks: readonly (readonly number[])[]): void {
  let at = 0
  for (const [start = 0, end = 0] of marks) {
    if (start < at || end <= start || end > text.length) continue
    const found = document.createElement('mark')
    found.textContent = visible(text.slice(start, end))
    to.append(visible(text.slice(at, start), text.length), found)
    at = end
  }
  to.append(visible(text.slice(at), text.length))
}

// A page may load the file twice.
if (customElements.get('jelajah-search') === undefined) {
  customElements.define('jelajah-search', SearchBox)
}
