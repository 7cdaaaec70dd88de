// Directives of a page to crawlers, from `<meta name="robots">` tags and X-Robots-Tag headers. They are in
// core because the scouter sees the headers and the parser sees the tags.

/** Our name in robots rules of all kinds, in lower case as they are compared. */
export const ROBOTS_TOKEN = 'jelajah'

/** Known directives; each is false or null unless the page sets it. */
export type RobotsDirectives = {
  /** Neither searchable nor exported. */
  readonly noindex: boolean
  /** Its links are not followed. */
  readonly nofollow: boolean
  /** Its HTML is not kept. */
  readonly noarchive: boolean
  /** No excerpt is shown. */
  readonly nosnippet: boolean
  readonly noimageindex: boolean
  /** Epoch ms from which it counts as noindex. */
  readonly unavailableAfter: number | null
}

export type RobotsTag = { readonly name: string; readonly content: string }

type Wishes = { -readonly [Key in keyof RobotsDirectives]: RobotsDirectives[Key] }

type Flag = keyof RobotsDirectives & `no${string}`

const FLAGS: ReadonlyMap<string, readonly Flag[]> = new Map([
  ['none', ['noindex', 'nofollow']],
  ['noindex', ['noindex']],
  ['nofollow', ['nofollow']],
  ['noarchive', ['noarchive']],
  ['nocache', ['noarchive']],
  ['nosnippet', ['nosnippet']],
  ['noimageindex', ['noimageindex']],
])
// `name: value` in a header is a directive if the name is one of these; else it names a crawler.
const WITH_VALUE = /^(?:unavailable_after|max-(?:snippet|image-preview|video-preview))$/
const ADDRESSED = /^\s*([\w.-]+)\s*:/
const WEEKDAY = /:\s*[a-z]+\s*$/i

/** True if a meta tag of this name addresses this crawler. */
export function isRobotsMeta(name: string): boolean {
  const lower = name.trim().toLowerCase()
  return lower === 'robots' || lower === ROBOTS_TOKEN
}

/**
 * Combines all directives. On conflict the most restrictive wins, regardless of order and source. Tags and
 * headers for other crawlers are ignored.
 */
export function readRobotsDirectives(
  tags: readonly RobotsTag[],
  headers: readonly string[],
): RobotsDirectives {
  const wishes: Wishes = {
    noindex: false,
    nofollow: false,
    noarchive: false,
    nosnippet: false,
    noimageindex: false,
    unavailableAfter: null,
  }
  for (const { name, content } of tags) {
    if (isRobotsMeta(name)) for (const wish of split(content)) take(wish, wishes)
  }
  for (const header of headers) readHeader(header, wishes)
  return wishes
}

function readHeader(header: string, wishes: Wishes): void {
  let forUs = true
  for (const part of split(header)) {
    const [address = '', name] = ADDRESSED.exec(part) ?? []
    const addressed = name !== undefined && !WITH_VALUE.test(name.toLowerCase())
    // A name holds until the next one: several headers may have been joined into one.
    if (addressed) forUs = isRobotsMeta(name)
    if (forUs) take(addressed ? part.slice(address.length) : part, wishes)
  }
}

/** Splits at commas, but not after the weekday of RFC 822 dates. */
function split(text: string): string[] {
  const parts: string[] = []
  for (const part of text.split(',')) {
    const last = parts.at(-1)
    if (last !== undefined && isCutDate(last)) parts[parts.length - 1] = `${last},${part}`
    else parts.push(part)
  }
  return parts
}

function isCutDate(part: string): boolean {
  return WEEKDAY.test(part) && /unavailable_after/i.test(part)
}

function take(part: string, wishes: Wishes): void {
  const text = part.trim().toLowerCase()
  const date = /^unavailable_after\s*:\s*(.*)$/s.exec(text)?.[1]
  if (date !== undefined) {
    takeDate(date, wishes)
    return
  }
  if (/^max-snippet\s*:\s*0$/.test(text)) wishes.nosnippet = true
  // Some sites write spaces or semicolons instead of commas.
  for (const word of text.split(/[\s;]+/)) {
    for (const flag of FLAGS.get(word) ?? []) wishes[flag] = true
  }
}

function takeDate(text: string, wishes: Wishes): void {
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) return
  wishes.unavailableAfter = Math.min(moment, wishes.unavailableAfter ?? moment)
}
