// The name in a line of a forum. A line often holds more than that, with nothing in between: the name and a
// rank, the name and a date. Its markup keeps them apart: the name is the text of an element that is called
// a user's, or of a link to one.
import { decodeHTML } from 'entities/decode'
import { monthOf } from '../about/month-names.ts'

const LINK = /^\/?a(?![\w-])/i
/** Of a tag: what comes behind is no name. */
const MAX_TAG = 240
const CALLED_A_NAME =
  /\b(?:class|itemprop|rel|id)\s*=\s*["']?[^"'>]*(?:user-?name|nick-?name|display-?name|screen-?name|\b(?:author|creator|poster|member|mention)\b)/i
const LEADS_TO_ONE =
  /\bhref\s*=\s*["']?[^"'>\s]*(?:\/(?:users?|u|members?|profiles?|people|authors?)\b|[/?&](?:memberlist|member|profile|user|showuser)\b|[?&;](?:u|uid|user_?id)=|\/@\w)/i
const MAX_NAME = 60
/** Dates, numbers of posts, a letter that stands for a picture: no names. */
const NO_NAME = /\d{2}[:./]|^\d+(?: \p{L}+)?$|, (?:19|20)\d\d|:$|^.?$|^\P{L}*$/u
/** What stands around names in such lines. */
const NO_NAMES =
  /^(?:by|oleh|von|par|por|di|posted(?: by)?|written by|says?|said|wrote|post|posts?|quote|reply|share|report|like|likes|follow|message|messages|moderator|administrator|admin|member|guest|tamu|profile|online|offline|view (?:public )?profile|send message|author|op|original poster|thread starter|edited|joined|location|new|top|permalink|sign (?:up|in)|log ?in|log ?out|register|daftar|masuk|advertisement|sponsored|find (?:all|more) posts.*|visit .*|all posts.*)\W*$/i
const DAY_OF_MONTH = /^(?:\d{1,2}\.? (\p{L}+)|(\p{L}+)\.? \d{1,2})$/u
const BY = /^(?:by|oleh|von|par|por|di|posted by)[\s:]+/i

export type NamePiece = {
  readonly name: string
  /** 0: the element says so itself. Others: how far around, from 1. */
  readonly level: number
}

/**
 * The name in the markup of a line; null without one. `around`: how many containers out something is called a
 * user's, or more than any that is looked at.
 */
export function nameIn(markup: string, around: { level: number; most: number }): NamePiece | null {
  let isNamed = false
  let isLinked = false
  let linked: string | null = null
  for (const { tag, text } of partsOf(markup)) {
    if (tag !== '') {
      const isLink = LINK.test(tag)
      if (tag.startsWith('/')) {
        isNamed = false
        if (isLink) isLinked = false
        continue
      }
      if (isLink) isLinked = true
      if (CALLED_A_NAME.test(tag) || (isLink && LEADS_TO_ONE.test(tag))) isNamed = true
      continue
    }
    const name = nameOf(text)
    if (name === null) continue
    if (isNamed) return { name, level: 0 }
    if (isLinked) linked ??= name
  }
  return linked !== null && around.level < around.most
    ? { name: linked, level: around.level + 1 }
    : null
}

type Part = { readonly tag: string; readonly text: string }

/** Tags, without their angle brackets, and the texts between them; a tag that does not end ends all. */
function* partsOf(markup: string): Generator<Part> {
  for (let at = 0; at < markup.length; ) {
    const next = markup.indexOf('<', at)
    const to = next < 0 ? markup.length : next
    if (to > at) yield { tag: '', text: markup.slice(at, to) }
    const end = next < 0 ? -1 : tagEnd(markup, next)
    if (end < 0) return
    yield { tag: markup.slice(next + 1, Math.min(end, next + MAX_TAG)), text: '' }
    at = end + 1
  }
}

/** Where the `>` of a tag stands, not within quotes; -1 without one. */
function tagEnd(markup: string, from: number): number {
  for (let at = from; at >= 0 && at < markup.length; at++) {
    const char = markup[at]
    if (char === '>') return at
    if (char !== '"' && char !== "'") continue
    at = markup.indexOf(char, at + 1)
    if (at < 0) return -1
  }
  return -1
}

function nameOf(text: string): string | null {
  const name = decodeHTML(text).replace(/\s+/g, ' ').trim().replace(BY, '')
  if (name.length > MAX_NAME || NO_NAME.test(name) || NO_NAMES.test(name)) return null
  const [, behind = '', before = behind] = DAY_OF_MONTH.exec(name) ?? []
  if (monthOf(before) > 0) return null
  return name
}
