// Decodes the body of a resume request: the limits that change.
import { hotIsImportance } from '../core/importance.ts'
import type { CrawlSettings } from '../core/job.ts'
import type { NewLimits } from '../jobs/dispatcher.ts'
import { Problems } from '../options/bad-options.ts'
import { type Chosen, checkFocus } from '../options/focus-checks.ts'
import { fieldName } from '../options/option.ts'
import { fieldsOf, readOptions, refuseUnknown, throwIfAny } from './body-fields.ts'
import { type BodyDeps, type BodyOption, bodyOptions, readWithin } from './body-options.ts'

/** The other options decide which pages a job has: with other values it would be another job. */
function isLimit({ option }: BodyOption): boolean {
  return option.mayChange.includes('resume-over-http')
}

export function limitOptions(deps: BodyDeps): readonly BodyOption[] {
  return bodyOptions(deps).filter(isLimit)
}

/** Throws `BadFields` with all problems. Without a body the limits stay. */
export function decodeLimits(body: unknown, settings: CrawlSettings, deps: BodyDeps): NewLimits {
  if (body === undefined || body === null) return {}
  const fields = fieldsOf(body, '{"max_pages": 500}')
  const options = limitOptions(deps)
  const problems = new Problems()
  const names = options.flatMap(({ field, aliases }) => [field, ...aliases])
  refuseUnknown(fields, names, unchanging(deps), problems)
  const limits: Chosen = {}
  readOptions(fields, options, problems, (option, { at, raw }) => {
    Object.assign(limits, readWithin(option, raw, at))
  })
  const locationOf = (name: string) => ({ source: 'body' as const, at: fieldName(name) })
  const has = (name: string) => names.includes(fieldName(name)) && fields.has(fieldName(name))
  checkFocus({ ...focusOf(settings), ...limits }, { has, locationOf }, problems)
  throwIfAny(problems)
  return limits
}

function unchanging(deps: BodyDeps): ReadonlyMap<string, string> {
  const others = bodyOptions(deps).filter((option) => !isLimit(option))
  const names = [...others.flatMap(({ field, aliases }) => [field, ...aliases]), 'url', 'urls']
  const limits = limitOptions(deps).map(({ field }) => field)
  const why = `a job goes on as it was asked for, but for ${limits.join(', ')}`
  return new Map([...names, 'seeds', 'name', 'webhook'].map((name) => [name, why]))
}

/** The settings that decide whether a page is hot. */
function focusOf(all: CrawlSettings): Chosen {
  const { topic, keywords, topicModel, examples, classifier, ...settings } = all
  const isNamed = topic !== '' || keywords.length > 0 || topicModel.length > 0
  const hasTopic = isNamed || examples !== null || classifier !== null
  return {
    ...(hasTopic ? { topic } : {}),
    ...(hotIsImportance(settings) ? { importance: settings.importance } : {}),
  }
}
