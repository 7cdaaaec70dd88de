// What options and orderings are called and do. English comes from the server, which has it for the
// command line; Indonesian is here, and where it lacks something the server's words stand.
import type { KnownOption, KnownOrdering } from '../form/known-options.ts'
import { language } from './i18n.ts'
import { ID_OPTIONS, ID_ORDERING_OPTIONS, ID_ORDERINGS, type Words } from './id-options.ts'

export function optionWords({ name, help }: Pick<KnownOption, 'name' | 'help'>): Words {
  const known = language.value === 'id' ? ID_OPTIONS.get(name) : undefined
  return known ?? { label: labelOf(name), help: sentence(help) }
}

export function orderingAbout({ name, about }: Pick<KnownOrdering, 'name' | 'about'>): string {
  return (language.value === 'id' ? ID_ORDERINGS.get(name) : undefined) ?? sentence(about)
}

export function orderingOptionHelp(ordering: string, name: string, help: string): string {
  const known = language.value === 'id' ? ID_ORDERING_OPTIONS.get(`${ordering} ${name}`) : undefined
  return known ?? sentence(help)
}

/** `max_body` → `Max body`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return capital(words.replace(/\b(dns|html|http2|ip|tls|url)\b/g, (word) => word.toUpperCase()))
}

/** Flags of the command line are called by what they are here. */
function sentence(text: string): string {
  const named = text.replace(/--([a-z0-9-]+)/g, (_, flag: string) =>
    labelOf(flag.replaceAll('-', '_')),
  )
  return named === '' ? '' : `${capital(named)}${/[.!?)]$/.test(named) ? '' : '.'}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
