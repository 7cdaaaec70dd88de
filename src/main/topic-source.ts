// From what the user said a crawl is about to the topic itself.
import type { TopicRequest } from '../cli/topic-request.ts'
import { InvalidInput } from '../core/errors.ts'
import type { KeptTopic } from '../core/job.ts'
import type { ExamplePages } from './example-pages.ts'

/** Throws InvalidInput, naming the flag, when no topic can be made of it. */
export function buildRequested(_request: TopicRequest, _pages: ExamplePages): KeptTopic {
  throw new InvalidInput('--topic', 'is not available yet')
}

/** Says what is wrong as far as that can be told without example pages. */
export function checkTopic(): void {}
