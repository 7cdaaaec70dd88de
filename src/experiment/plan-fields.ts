// Reads the fields of a plan. Every problem is noted with its place, and reading goes on: all of them are
// reported at once.
import { shown } from '../core/errors.ts'
import { nearest } from '../lib/edit-steps.ts'
import { isObject } from '../lib/present.ts'

export type Fields = Readonly<Record<string, unknown>>

export class PlanReader {
  readonly problems: { readonly at: string; readonly message: string }[] = []

  note(at: string, message: string): void {
    this.problems.push({ at, message })
  }

  /** An object; an empty one, noted, for anything else. */
  object(value: unknown, at: string): Fields {
    if (isObject(value)) return value
    this.note(at, `needs an object, not ${shown(value)}`)
    return {}
  }

  refuseUnknown(fields: Fields, known: readonly string[], at = ''): void {
    for (const name of Object.keys(fields)) {
      if (known.includes(name)) continue
      const meant = nearest(name.slice(0, 40), known)
      const hint = meant === null ? `known are ${known.join(', ')}` : `did you mean ${meant}?`
      this.note(under(at, name), `there is no such field; ${hint}`)
    }
  }

  text(fields: Fields, name: string, at = ''): string {
    const value = fields[name] ?? ''
    if (typeof value === 'string') return value.trim()
    this.note(under(at, name), `needs a text, not ${shown(value)}`)
    return ''
  }

  truth(fields: Fields, name: string): boolean {
    const value = fields[name] ?? false
    if (typeof value === 'boolean') return value
    this.note(name, `is true or false, not ${shown(value)}`)
    return false
  }

  /** A whole number from `min` to `max`. */
  whole(
    fields: Fields,
    name: string,
    range: { readonly min: number; readonly max: number; readonly preset: number },
    at = '',
  ): number {
    const value = fields[name] ?? range.preset
    if (typeof value === 'number' && Number.isInteger(value)) {
      if (value >= range.min && value <= range.max) return value
    }
    const wanted = `needs a whole number from ${range.min} to ${range.max}`
    this.note(under(at, name), `${wanted}, not ${shown(value)}`)
    return range.preset
  }

  /** A list of texts; one text is a list, too. */
  texts(fields: Fields, name: string, preset: readonly string[], at = ''): readonly string[] {
    const value = fields[name]
    if (value === undefined) return preset
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.flatMap((entry, number) => {
      if (typeof entry === 'string' && entry.trim() !== '') return [entry.trim()]
      this.note(`${under(at, name)}[${number}]`, `needs a text, not ${shown(entry)}`)
      return []
    })
  }

  list(fields: Fields, name: string): readonly unknown[] {
    const value = fields[name] ?? []
    if (Array.isArray(value)) return value
    this.note(name, `needs a list, not ${shown(value)}`)
    return []
  }

  /** `20%` as 0.2; null, noted, for anything else. */
  share(written: string, at: string, wanted = 'a share such as 20%'): number | null {
    const [, digits = ''] = /^(\d{1,3}(?:\.\d{1,6})?) ?%$/.exec(written) ?? []
    const value = Number(digits)
    if (digits !== '' && value > 0 && value <= 100) return value / 100
    this.note(at, `needs ${wanted}, not ${shown(written)}`)
    return null
  }

  shares(fields: Fields, name: string, preset: readonly string[]): readonly number[] {
    const written = this.texts(fields, name, preset)
    return written.flatMap((text, at) => this.share(text, `${name}[${at}]`) ?? [])
  }
}

function under(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`
}
