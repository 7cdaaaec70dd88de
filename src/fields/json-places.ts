// Where the value at a path stands in a JSON text, so that messages can name the line.

const SPACE = /\s/

/** The number of the line of the value at a path such as `rules[0].fields[2].name`; or of the last part there is. */
export function lineOf(json: string, path: string): number {
  const steps = [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, place, name = '']) =>
    place === undefined ? name : Number(place),
  )
  const walker = new Walker(json)
  for (const step of steps) if (!walker.enter(step)) break
  return json.slice(0, walker.at).split('\n').length
}

/** Walks over a text that is known to be JSON. */
class Walker {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text.replace(/^\ufeff/, ' ')
    this.#skipSpace()
  }

  /** Goes to an entry of the object or array that begins here; false, and no further, without such an entry. */
  enter(step: string | number): boolean {
    const opening = this.#text[this.at]
    if (opening !== (typeof step === 'number' ? '[' : '{')) return false
    const from = this.at++
    for (let index = 0; ; index++) {
      this.#skipSpace()
      if (this.#text[this.at] === ']' || this.#text[this.at] === '}') break
      const isHere = typeof step === 'number' ? index === step : this.#key() === step
      if (isHere) return true
      this.#skipValue()
      this.#skipSpace()
      if (this.#text[this.at] !== ',') break
      this.at++
    }
    this.at = from
    return false
  }

  #key(): unknown {
    const from = this.at
    this.#skipString()
    const key: unknown = JSON.parse(this.#text.slice(from, this.at))
    this.#skipSpace()
    this.at++
    this.#skipSpace()
    return key
  }

  #skipValue(): void {
    let depth = 0
    for (; this.at < this.#text.length; this.at++) {
      const sign = this.#text[this.at] ?? ''
      if (sign === '"') {
        this.#skipString()
        this.at--
      } else if (sign === '{' || sign === '[') depth++
      else if (depth === 0 && (sign === ',' || sign === '}' || sign === ']')) return
      else if (sign === '}' || sign === ']') depth--
    }
  }

  #skipString(): void {
    for (this.at++; this.at < this.#text.length && this.#text[this.at] !== '"'; this.at++) {
      if (this.#text[this.at] === '\\') this.at++
    }
    this.at++
  }

  #skipSpace(): void {
    while (SPACE.test(this.#text[this.at] ?? '')) this.at++
  }
}
