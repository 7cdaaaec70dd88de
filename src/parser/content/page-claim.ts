// What a page claims to be by its address and its head. The forests weigh such claims among all else; where it
// matters most, whether comments are the content or beside it, the claim decides between a thread and an article.
import type { PageSigns } from '../features/page-facts.ts'

export type PageClaim = 'thread' | 'article' | ''

const THREAD_HOST = /^(?:forums?|bbs|boards?|discuss|community|talk)\.|forum/
/** A folder of the path: in a title the words mean nothing. */
const THREAD_PATH =
  /\/(?:forums?|threads?|topics?|discussions?|boards?|bbs|questions?|community|showthread|showtopic|viewtopic|viewthread|t|d)(?=[/.?_-]|$)/i
const THREAD_TYPES = /^(?:DiscussionForumPosting|QAPage)$/
const ARTICLE_TYPES = /^(?:Article|NewsArticle|BlogPosting|Recipe)$/

export function claimOf({ url, openGraphType, jsonLdTypes }: PageSigns): PageClaim {
  const { hostname = '', pathname = '', search = '' } = URL.parse(url) ?? {}
  const isThread =
    THREAD_HOST.test(hostname) ||
    THREAD_PATH.test(pathname.slice(0, 300) + search.slice(0, 100)) ||
    jsonLdTypes.some((type) => THREAD_TYPES.test(type))
  if (isThread) return 'thread'
  const isArticle =
    openGraphType.toLowerCase() === 'article' ||
    jsonLdTypes.some((type) => ARTICLE_TYPES.test(type))
  return isArticle ? 'article' : ''
}
