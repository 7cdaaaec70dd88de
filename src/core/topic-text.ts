/** A description is never longer; a page of text can be given as an example. */
const MAX_TOPIC_CHARACTERS = 10_000

type Said = {
  readonly topic: string
  readonly keywords: readonly string[]
  readonly examples: string | null
  readonly classifier: string | null
}

/** What a crawl is about, in the user's own words; '' when it is about nothing in particular. */
export function topicText({ topic, keywords, examples, classifier }: Said): string {
  const words = [...(topic === '' ? [] : [topic]), ...keywords]
  if (words.length > 0) return words.join(', ')
  if (examples !== null) return `pages like those in ${examples}`
  return classifier === null ? '' : `as ${classifier} tells`
}

/** Why a text is too long to be a topic; null when it is not. */
export function tooLongForTopic(text: string): string | null {
  if (text.length <= MAX_TOPIC_CHARACTERS) return null
  return `takes at most ${MAX_TOPIC_CHARACTERS} characters; give longer texts as --examples`
}
