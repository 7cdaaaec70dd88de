// Decodes the body of `POST /topic`: the fields of `POST /crawl` that describe a topic in words.
import { Problems } from '../options/bad-options.ts'
import type { TopicRequest } from '../options/topic-request.ts'
import { fieldsOf, refuseUnknown, throwIfAny } from './body-fields.ts'
import { type BodyOption, bodyOptions } from './body-options.ts'
import { type DecodeDeps, readChosen, readTopic } from './decode-crawl.ts'

const FIELDS = ['topic', 'keywords', 'language', 'stop_words']
const ELSEWHERE = new Map(
  ['examples', 'classifier'].map((name) => [name, 'a dry run of jelajah crawl shows their words']),
)

/** The fields of the body. */
export function topicOptions(deps: DecodeDeps): BodyOption[] {
  return bodyOptions(deps).filter(({ field }) => FIELDS.includes(field))
}

/** Null if it has no topic. Throws `BadFields` with all problems. */
export function decodeTopic(body: unknown, deps: DecodeDeps): TopicRequest | null {
  const fields = fieldsOf(body, '{"topic": "vaccines and the immune system"}')
  const options = topicOptions(deps)
  const problems = new Problems()
  const names = options.flatMap(({ field, aliases }) => [field, ...aliases])
  refuseUnknown(fields, names, ELSEWHERE, problems)
  const chosen = readChosen(fields, options, deps, problems)
  const topic = readTopic(chosen, fields, deps, problems)
  throwIfAny(problems)
  return topic
}
