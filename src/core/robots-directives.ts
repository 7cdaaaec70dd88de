// What a page asks of crawlers about itself, in `<meta name="robots">` tags and in X-Robots-Tag
// headers. It lives in core because the scouter sees the headers and the parser the tags.

/** Our name in robots rules of all kinds, in lower case as they are compared. */
export const ROBOTS_TOKEN = 'jelajah'

/** The wishes we know; each is false or null until a page asks for it. */
export type RobotsDirectives = {
  /** Not to be found by searching, nor exported. */
  readonly noindex: boolean
  /** None of its links is to be followed. */
  readonly nofollow: boolean
  /** No copy of its source is to be kept. */
  readonly noarchive: boolean
  /** No excerpt of it is to be shown. */
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

/** Whether a meta tag of this name speaks to us. */
export function isRobotsMeta(name: string): boolean {
  const lower = name.trim().toLowerCase()
  return lower === 'robots' || lower === ROBOTS_TOKEN
}

/**
 * All wishes together. Where they conflict the most restrictive holds, in any order and from any
 * source; tags and headers that address other crawlers are passed over.
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

/** By commas, except the one that RFC 822 dates have after the day of the week. */
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
  // Some write spaces or semicolons for commas; they mean it all the same.
  for (const word of text.split(/[\s;]+/)) {
    for (const flag of FLAGS.get(word) ?? []) wishes[flag] = true
  }
}

function takeDate(text: string, wishes: Wishes): void {
  const moment = Date.parse(text)
  if (Number.isNaN(moment)) return
  wishes.unavailableAfter = Math.min(moment, wishes.unavailableAfter ?? moment)
}
