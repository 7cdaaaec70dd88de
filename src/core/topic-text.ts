import type { CrawlSettings } from './job.ts'

type Said = Pick<CrawlSettings, 'topic' | 'keywords' | 'examples' | 'classifier'>

/** What a crawl is about, in the user's own words; '' when it is about nothing in particular. */
export function topicText({ topic, keywords, examples, classifier }: Said): string {
  const words = [...(topic === '' ? [] : [topic]), ...keywords]
  if (words.length > 0) return words.join(', ')
  if (examples !== null) return `pages like those in ${examples}`
  return classifier === null ? '' : `as ${classifier} tells`
}
