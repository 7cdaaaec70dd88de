// Whether a link names the topic: its anchor or its target address contains a keyword.
import type { CanonicalUrl } from '../core/url.ts'
import { addressWords } from '../topic/page-words.ts'
import { remembering } from '../topic/short-texts.ts'
import type { Topic } from '../topic/topic.ts'

/** Cache of addresses, since menus repeat on every page of a site: 6 MB at most. */
const KEPT_ADDRESSES = { kept: 16_384, longest: 300 }

export type KeywordInLink = {
  readonly anchor: (anchor: string) => boolean
  readonly address: (url: CanonicalUrl) => boolean
}

export function keywordInLink(topic: Topic | null): KeywordInLink {
  if (topic === null) return { anchor: () => false, address: () => false }
  const inAddress = remembering(
    (url: CanonicalUrl) => topic.mentions(addressWords(url)),
    KEPT_ADDRESSES,
  )
  return {
    anchor: (anchor) => topic.mentions(anchor) > 0,
    address: (url) => inAddress(url) > 0,
  }
}
