// Reads rules for fields from JSON. Everything that is wrong is found at once, each with its place.
import { InvalidInput, Refused, shown } from '../core/errors.ts'
import {
  FIELD_TYPES,
  type FieldGroup,
  type FieldRule,
  type FieldRules,
  type FieldType,
  MAX_FIELDS,
  MAX_GLOBS,
  MAX_GROUPS,
} from '../core/field-rules.ts'
import { compileGlob } from '../core/glob.ts'
import { nearest } from '../lib/edit-steps.ts'
import { isObject } from '../lib/present.ts'
import { readJsonPath } from './json-path.ts'
import { readSelectors } from './selector.ts'

/** A place such as `rules[0].fields[2].selector`; '' for the whole. */
type RuleProblem = { readonly at: string; readonly message: string }

/** More problems than this are not worth reading. */
const MAX_PROBLEMS = 50
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const ATTRIBUTE = /^[^\s"'<>/=\0]{1,64}$/
const FIELD_KEYS = ['name', 'selector', 'attribute', 'jsonld', 'type', 'many']
const EXAMPLE =
  '{"rules": [{"match": ["/shop/**"], "fields": [{"name": "price", "selector": ".price"}]}]}'

/** Rules from a file, a request or a program; `{"fields": […]}` alone is for all pages. */
export function decodeFieldRules(raw: unknown): {
  readonly rules: FieldRules
  readonly problems: readonly RuleProblem[]
} {
  const decoder = new RuleDecoder()
  const rules = decoder.rules(raw)
  return { rules: { rules }, problems: decoder.problems }
}

/** The same; throws InvalidInput with all problems. */
export function checkedFieldRules(raw: unknown, at: string): FieldRules {
  const { rules, problems } = decodeFieldRules(raw)
  if (problems.length === 0) return rules
  throw new InvalidInput(at, problems.map(problemText).join('; '))
}

export function problemText({ at, message }: RuleProblem): string {
  return at === '' ? message : `${at}: ${message}`
}

type Fields = Readonly<Record<string, unknown>>

class RuleDecoder {
  readonly problems: RuleProblem[] = []
  #fields = 0

  rules(raw: unknown): readonly FieldGroup[] {
    if (!isObject(raw)) {
      this.#add('', `needs an object such as ${EXAMPLE}, not ${shown(raw)}`)
      return []
    }
    if (raw.rules === undefined && raw.fields !== undefined) return [this.#group(raw, '')]
    this.#refuseOthers(raw, ['rules'], '')
    const { rules } = raw
    if (!Array.isArray(rules) || rules.length === 0) {
      this.#add('rules', `needs a list such as ${EXAMPLE}`)
      return []
    }
    if (rules.length > MAX_GROUPS) {
      this.#add('rules', `has ${rules.length} entries; at most ${MAX_GROUPS} are taken`)
      return []
    }
    return rules.map((group: unknown, at) => this.#group(group, `rules[${at}]`))
  }

  #group(raw: unknown, at: string): FieldGroup {
    if (!isObject(raw)) {
      this.#add(at, `needs an object with match and fields, not ${shown(raw)}`)
      return { fields: [] }
    }
    this.#refuseOthers(raw, ['match', 'fields'], at)
    const match = this.#globs(raw.match, inside(at, 'match'))
    const fields = this.#list(raw.fields, inside(at, 'fields'))
    return match === null ? { fields } : { match, fields }
  }

  #globs(raw: unknown, at: string): readonly string[] | null {
    if (raw === undefined) return null
    const globs: readonly unknown[] = Array.isArray(raw) ? raw : [raw]
    if (globs.length === 0 || globs.length > MAX_GLOBS) {
      this.#add(at, `needs 1 to ${MAX_GLOBS} globs; without match, the fields are for all pages`)
      return []
    }
    return globs.flatMap((glob, index) => {
      const place = Array.isArray(raw) ? `${at}[${index}]` : at
      if (typeof glob !== 'string') {
        this.#add(place, `needs a glob such as "/shop/**", not ${shown(glob)}`)
        return []
      }
      this.#try(place, () => compileGlob(glob))
      return [glob]
    })
  }

  #list(raw: unknown, at: string): readonly FieldRule[] {
    if (!Array.isArray(raw) || raw.length === 0) {
      this.#add(at, 'needs a list of fields such as [{"name": "price", "selector": ".price"}]')
      return []
    }
    this.#fields += raw.length
    if (this.#fields > MAX_FIELDS) {
      this.#add(at, `makes ${this.#fields} fields; at most ${MAX_FIELDS} are taken in all`)
      return []
    }
    const names = new Map<string, number>()
    return raw.map((field: unknown, index) => {
      const rule = this.#field(field, `${at}[${index}]`)
      const before = names.get(rule.name)
      if (rule.name !== '' && before !== undefined) {
        this.#add(
          `${at}[${index}].name`,
          `${shown(rule.name)} is also the name of ${at}[${before}]`,
        )
      }
      names.set(rule.name, before ?? index)
      return rule
    })
  }

  #field(raw: unknown, at: string): FieldRule {
    if (!isObject(raw)) {
      this.#add(at, `needs an object with name and selector, not ${shown(raw)}`)
      return { name: '' }
    }
    this.#refuseOthers(raw, FIELD_KEYS, at)
    const name = this.#name(raw.name, `${at}.name`)
    const { selector, jsonld } = raw
    if ((selector === undefined) === (jsonld === undefined)) {
      this.#add(at, 'needs either a selector or a path in JSON-LD (jsonld)')
    }
    this.#text(selector, `${at}.selector`, readSelectors)
    this.#text(jsonld, `${at}.jsonld`, readJsonPath)
    const attribute = this.#attribute(raw, at)
    const type = this.#type(raw.type, `${at}.type`)
    const many = this.#many(raw.many, type, `${at}.many`)
    return {
      name,
      ...(typeof selector === 'string' && { selector }),
      ...(typeof jsonld === 'string' && { jsonld }),
      ...(attribute !== null && { attribute }),
      ...(type !== null && { type }),
      ...(many && { many }),
    }
  }

  #name(raw: unknown, at: string): string {
    if (typeof raw === 'string' && NAME.test(raw)) return raw
    this.#add(at, `needs a letter, then letters, digits, _ and -, up to 64, not ${shown(raw)}`)
    return ''
  }

  #text(raw: unknown, at: string, read: (text: string) => unknown): void {
    if (raw === undefined) return
    if (typeof raw === 'string') this.#try(at, () => read(raw))
    else this.#add(at, `needs a text, not ${shown(raw)}`)
  }

  #attribute({ attribute, jsonld, type }: Fields, at: string): string | null {
    if (attribute === undefined) return null
    const place = `${at}.attribute`
    if (typeof attribute !== 'string' || !ATTRIBUTE.test(attribute)) {
      this.#add(place, `needs the name of an attribute, not ${shown(attribute)}`)
      return null
    }
    if (jsonld !== undefined) this.#add(place, 'is for selectors, not for JSON-LD')
    if (type === 'html') this.#add(place, 'is no HTML: leave it out, or choose another type')
    return attribute.toLowerCase()
  }

  #type(raw: unknown, at: string): FieldType | null {
    if (raw === undefined) return null
    const type = FIELD_TYPES.find((known) => known === raw)
    if (type !== undefined) return type
    const meant = typeof raw === 'string' ? nearest(raw, FIELD_TYPES) : null
    const hint = meant === null ? '' : `; did you mean ${meant}?`
    this.#add(at, `needs one of ${FIELD_TYPES.join(', ')}, not ${shown(raw)}${hint}`)
    return null
  }

  #many(raw: unknown, type: FieldType | null, at: string): boolean {
    if (raw === undefined || raw === false) return false
    if (raw !== true) this.#add(at, `is true or false, not ${shown(raw)}`)
    else if (type === 'boolean') this.#add(at, 'a boolean field says yes or no, once')
    return raw === true
  }

  #refuseOthers(raw: Fields, known: readonly string[], at: string): void {
    for (const key of Object.keys(raw)) {
      if (known.includes(key)) continue
      if (this.problems.length >= MAX_PROBLEMS) return
      const meant = nearest(key, known)
      const hint = meant === null ? `; there are ${known.join(', ')}` : `; did you mean ${meant}?`
      this.#add(inside(at, key), `is not known${hint}`)
    }
  }

  #try(at: string, work: () => unknown): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof InvalidInput) && !(error instanceof Refused)) throw error
      this.#add(at, error.message)
    }
  }

  #add(at: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ at, message })
  }
}

function inside(at: string, key: string): string {
  const name = key.length > 64 ? `${key.slice(0, 63)}…` : key
  return at === '' ? name : `${at}.${name}`
}
