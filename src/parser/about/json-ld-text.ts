// Parses the text of `<script type="application/ld+json">`. People write it by hand and templates
// break it, so common mistakes are repaired first.

/** A JSON object with unknown keys. */
export type JsonNode = { readonly [key: string]: unknown }

const MENDABLE = 64 * 1024
/** Unescaped line ends and tabs within strings; between strings they are white space. */
const CONTROLS = /[\u0000-\u001f]+/g
const WRAPPERS =
  /^[\s\uFEFF]*(?:<!--|\/\/ ?<!\[CDATA\[|\/\* ?<!\[CDATA\[ ?\*\/|<!\[CDATA\[)|(?:-->|\/\/ ?\]\]>|\/\* ?\]\]> ?\*\/|\]\]>)\s*$/g
const LAST_COMMA = /, *(?=[}\]])/g
const BAD_ESCAPE = /\\(?!["\\/bfnrtu])/g

/** Null when it is not JSON, even after repair. */
export function parseJsonLd(text: string): unknown {
  const parsed = parsedOrUndefined(text)
  if (parsed !== undefined) return parsed
  if (text.length > MENDABLE) return null
  return parsedOrUndefined(mended(text)) ?? null
}

function mended(text: string): string {
  const plain = text.replace(WRAPPERS, '').replace(CONTROLS, ' ').trim()
  const quoted = plain.includes('"') ? plain : plain.replaceAll('&quot;', '"')
  const ended = quoted.endsWith(';') ? quoted.slice(0, -1) : quoted
  return ended.replace(LAST_COMMA, '').replace(BAD_ESCAPE, '\\\\')
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isNode(value: unknown): value is JsonNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value that may be single or an array, as an array. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}

/** A string, or a number as a string; '' for anything else. */
export function textOf(value: unknown): string {
  const first = Array.isArray(value) ? value[0] : value
  if (typeof first === 'string') return first
  if (typeof first === 'number') return String(first)
  return isNode(first) && typeof first['@value'] === 'string' ? first['@value'] : ''
}

const WRITING = /(?:Article|Posting|Report|Question|Review|Recipe|HowTo|Poem|Thesis|Blog)$/
const THING =
  /^(?:Product|Book|Movie|VideoObject|AudioObject|PodcastEpisode|Event|Course|JobPosting|SoftwareApplication|MobileApplication|WebApplication|SoftwareSourceCode|Dataset|ProductGroup|Vehicle|CreativeWork|Game|VideoGame|MusicAlbum|TVEpisode|LocalBusiness|Restaurant|Hotel|Service|MediaObject)$/
const PAGE = /Page$/
const APART =
  /^(?:BreadcrumbList|ListItem|WebSite|Organization|NewsMediaOrganization|Person|ImageObject|SearchAction|ItemList|SiteNavigationElement|WPHeader|WPFooter|WPSideBar|PostalAddress|Rating|AggregateRating|Offer|Comment|Answer)$/

/**
 * 4 for a text, 3 for a thing, 2 for a page, 1 for anything else, 0 for an auxiliary node.
 *
 * Types of schema.org, ranked by how likely a node of the type is the subject of a page.
 */
export function typeRank(types: readonly string[]): number {
  let best = 0
  for (const type of types) {
    if (APART.test(type)) continue
    if (WRITING.test(type)) best = Math.max(best, 4)
    else if (THING.test(type)) best = Math.max(best, 3)
    else best = Math.max(best, PAGE.test(type) ? 2 : 1)
  }
  return best
}

/** The type without the address of the vocabulary. */
export function bareType(type: string): string {
  return type
    .slice(0, 128)
    .replace(/^(?:https?:\/\/schema\.org\/|schema:)/, '')
    .slice(0, 64)
}
