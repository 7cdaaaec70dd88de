// The forms of a page: their targets and fields. Never the values: they may be personal, and those
// of hidden fields are session keys.
import { collapseWhiteSpace } from '../about/clean-text.ts'
import { ATTRIBUTE, ELEMENT } from '../html/html-names.ts'
import type { HtmlScanner } from '../html/html-scanner.ts'
import { type TextSink, truncate } from '../html/text-sink.ts'
import type { LinkResolver } from './link-resolver.ts'

const MAX_FORMS = 50
/** For all forms of a page. */
const MAX_FIELDS = 500
const MAX_OPTIONS = 50
const MAX_WORDS = 100
const MAX_LABELS = 1000
const METHODS = ['post', 'dialog']
/** Buttons without a name send nothing. */
const BUTTONS = new Set(['button', 'submit', 'reset', 'image'])

type FormField = {
  readonly name: string
  readonly type: string
  label?: string
  readonly required?: true
  options?: string[]
}

/** A row of the `forms` part; `action` is '' when the target is not a page. */
type FormRow = {
  readonly action: string
  readonly method: string
  readonly fields: readonly FormField[]
}

/** `mark`: where its words began. `for`: the id of the field it names. */
type Label = { mark: number; readonly for: string; words: string; field: FormField | null }
type Form = { readonly action: string; readonly method: string; readonly fields: FormField[] }

export class FormReader {
  readonly #tag: HtmlScanner
  readonly #text: TextSink
  #forms: Form[] = []
  #fieldCount = 0
  /** The open form; forms do not nest. */
  #form: Form | null = null
  #select: FormField | null = null
  /** Where the text of the open option began; -1 for none. */
  #optionMark = -1
  #label: Label | null = null
  /** Fields that wait for a label, and labels that wait for a field, by the field's id. */
  #unlabelled = new Map<string, FormField>()
  #labels = new Map<string, string>()
  /** The page had more than the limit. */
  cut = false

  constructor(tag: HtmlScanner, text: TextSink) {
    this.#tag = tag
    this.#text = text
  }

  open(): void {
    this.#forms = []
    this.#fieldCount = 0
    this.#form = null
    this.#select = null
    this.#optionMark = -1
    this.#label = null
    this.#unlabelled = new Map()
    this.#labels = new Map()
    this.cut = false
  }

  /** The start tag of an element of a form. */
  start(element: number): void {
    if (element === ELEMENT.form) this.#startForm()
    else if (this.#form === null) return
    else if (element === ELEMENT.label) this.#startLabel()
    else if (element === ELEMENT.option) this.#startOption()
    else if (element === ELEMENT.input) this.#addField(this.#type('text'))
    else if (element === ELEMENT.button) this.#addField(this.#type('submit'))
    else if (element === ELEMENT.textarea) this.#addField('textarea')
    else if (element === ELEMENT.select) {
      this.#endSelect()
      this.#select = this.#addField('select')
    }
  }

  end(element: number): void {
    if (element === ELEMENT.select) this.#endSelect()
    else if (element === ELEMENT.label) this.#endLabel()
    else if (element === ELEMENT.form) this.#endForm()
  }

  /** After the whole page was read. `page`: the target of a form without an action. */
  resolve(resolver: LinkResolver, page: string): readonly FormRow[] {
    this.#endForm()
    for (const [id, field] of this.#unlabelled) {
      const words = this.#labels.get(id)
      if (words !== undefined) field.label = words
    }
    return this.#forms.map(({ action, method, fields }) => ({
      action: action === '' ? page : (resolver.resolve(action) ?? ''),
      method,
      fields,
    }))
  }

  #startForm(): void {
    if (this.#form !== null) return
    if (this.#forms.length >= MAX_FORMS) {
      this.cut = true
      return
    }
    const written = this.#tag.value(ATTRIBUTE.method).trim().toLowerCase()
    const method = METHODS.includes(written) ? written : 'get'
    this.#form = { action: this.#tag.value(ATTRIBUTE.action).trim(), method, fields: [] }
    this.#forms.push(this.#form)
  }

  #endForm(): void {
    this.#endSelect()
    this.#endLabel()
    this.#form = null
  }

  /** Adds the field of the tag; null when it is not kept. */
  #addField(type: string): FormField | null {
    const name = this.#words(ATTRIBUTE.name)
    if (name === '' && BUTTONS.has(type)) return null
    if (this.#fieldCount >= MAX_FIELDS) {
      this.cut = true
      return null
    }
    const label = this.#words(ATTRIBUTE['aria-label'])
    const field: FormField = {
      name: name === '' ? this.#words(ATTRIBUTE.id) : name,
      type,
      ...(label === '' ? {} : { label }),
      ...(this.#tag.has(ATTRIBUTE.required) ? { required: true as const } : {}),
    }
    this.#fieldCount++
    this.#form?.fields.push(field)
    if (label === '' && type !== 'hidden') this.#askForLabel(field)
    return field
  }

  /** The label is one around the field, one that names it, or the placeholder. */
  #askForLabel(field: FormField): void {
    const placeholder = this.#words(ATTRIBUTE.placeholder)
    if (placeholder !== '') field.label = placeholder
    const id = this.#words(ATTRIBUTE.id)
    if (id !== '' && !this.#unlabelled.has(id)) this.#unlabelled.set(id, field)
    const label = this.#label
    if (label === null || label.field !== null) return
    label.field = field
    // Words before the field are its label; without any, the words after it.
    label.words = this.#text.lineSince(label.mark, MAX_WORDS)
    label.mark = this.#text.mark
  }

  #startLabel(): void {
    this.#endLabel()
    const mark = this.#text.mark
    this.#label = { mark, for: this.#words(ATTRIBUTE.for), words: '', field: null }
  }

  #endLabel(): void {
    const label = this.#label
    if (label === null) return
    const words = label.words || this.#text.lineSince(label.mark, MAX_WORDS)
    this.#label = null
    if (words === '') return
    if (label.field !== null) label.field.label = words
    else if (label.for !== '' && this.#labels.size < MAX_LABELS) this.#labels.set(label.for, words)
  }

  #startOption(): void {
    this.#endOption()
    if (this.#select !== null) this.#optionMark = this.#text.mark
  }

  #endOption(): void {
    if (this.#optionMark < 0 || this.#select === null) return
    const words = this.#text.lineSince(this.#optionMark, MAX_WORDS)
    this.#optionMark = -1
    if (words === '') return
    this.#select.options ??= []
    if (this.#select.options.length < MAX_OPTIONS) this.#select.options.push(words)
    else this.cut = true
  }

  #endSelect(): void {
    if (this.#select === null) return
    this.#endOption()
    this.#select = null
    // The options are not part of the label.
    if (this.#label !== null) this.#label.mark = this.#text.mark
  }

  #type(usual: string): string {
    return this.#words(ATTRIBUTE.type).toLowerCase() || usual
  }

  #words(attribute: number): string {
    if (!this.#tag.has(attribute)) return ''
    return truncate(
      collapseWhiteSpace(truncate(this.#tag.value(attribute), 4 * MAX_WORDS)),
      MAX_WORDS,
    )
  }
}
