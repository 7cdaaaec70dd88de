// Decodes the body of `POST /crawl`. Options are read and checked as on the command line; all problems are
// reported at once, by the names of the fields.
import { createHash } from 'node:crypto'
import { InvalidInput, shown } from '../core/errors.ts'
import type { CrawlSettings } from '../core/job.ts'
import { isModulePath, type PluginRecord } from '../core/plugin.ts'
import { type AllowPrivate, isClosed, isGranted } from '../core/private-access.ts'
import type { CanonicalUrl } from '../core/url.ts'
import { checkedFieldRules } from '../fields/decode-rules.ts'
import { Problems } from '../options/bad-options.ts'
import { type Chosen, checkFocus, chosenOrdering } from '../options/focus-checks.ts'
import { fieldName } from '../options/option.ts'
import { hasCredentials, seedUrl } from '../options/seeds.ts'
import { settingsFrom } from '../options/settings.ts'
import { readStopWords } from '../options/stop-words.ts'
import { type TopicRequest, topicRequest } from '../options/topic-request.ts'
import type { JobOrder } from '../store/job-store.ts'
import type { ApiDeps } from './api-deps.ts'
import { type Fields, fieldsOf, readOptions, refuseUnknown, throwIfAny } from './body-fields.ts'
import {
  type BodyOption,
  bodyOptions,
  CLI_ONLY,
  readWithin,
  usualSettings,
} from './body-options.ts'
import { decodeWebhook } from './decode-webhook.ts'

const SEED_FIELDS = ['url', 'urls', 'seeds']
const MAX_SEEDS = 10_000
const MAX_SHOWN = 200

type Given = { readonly at: string; readonly raw: unknown }

function readSeeds(
  fields: ReadonlyMap<string, unknown>,
  problems: Problems,
): readonly CanonicalUrl[] {
  const written = SEED_FIELDS.flatMap((name) => writtenSeeds(name, fields.get(name)))
  if (written.length === 0) {
    problems.add('body', 'url', 'give at least one URL to start from, as url or urls')
  }
  if (written.length > MAX_SEEDS) {
    problems.add('body', 'urls', `takes at most ${MAX_SEEDS} seeds, not ${written.length}`)
    return []
  }
  const seeds = new Set<CanonicalUrl>()
  for (const { at, raw } of written) {
    const seed = problems.try('body', () => seedOf(raw, at))
    if (seed !== null) seeds.add(seed)
  }
  return [...seeds]
}

function writtenSeeds(name: string, value: unknown): readonly Given[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [{ at: name, raw: value }]
  return value.map((raw: unknown, index) => ({ at: `${name}[${index}]`, raw }))
}

export function seedOf(raw: unknown, at: string): CanonicalUrl {
  const url = typeof raw === 'string' ? seedUrl(raw) : null
  if (typeof raw !== 'string' || url === null) {
    throw new InvalidInput(at, `${shown(raw)} is not an http or https URL`)
  }
  // Without the value: it has a password.
  if (hasCredentials(raw)) throw new InvalidInput(at, 'must not carry a user name or a password')
  return url
}

/** The name of a job that was not given one. */
function nameFor([first, ...rest]: readonly CanonicalUrl[]): string {
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`
  return `${first?.slice(0, MAX_SHOWN)}${more}`
}

/** Characters of a name. */
const MAX_NAME = 200
/** Names in messages for the texts that a request carries. */
const EXAMPLES = 'the request'
const MODEL = 'the model'
const STOP_WORDS = 'the request'
const OTHER_FIELDS = [...SEED_FIELDS, 'name', 'webhook']

export type DecodeDeps = Pick<ApiDeps, 'settings' | 'checkTopic'> & {
  readonly dispatcher: Pick<ApiDeps['dispatcher'], 'maxConnections'>
}

/** Throws `BadFields` with all problems. `key`: the header Idempotency-Key. */
export function decodeCrawl(body: unknown, key: string | undefined, deps: DecodeDeps): JobOrder {
  const fields = fieldsOf(body)
  const options = bodyOptions(deps)
  const problems = new Problems()
  const names = [...options.flatMap(({ field, aliases }) => [field, ...aliases]), ...OTHER_FIELDS]
  refuseUnknown(fields, names, CLI_ONLY, problems)
  const chosen = readChosen(fields, options, deps, problems)
  const topic = readTopic(chosen, fields, deps, problems)
  const seeds = readSeeds(fields, problems)
  const name = readName(fields.get('name'), problems)
  const webhook = decodeWebhook(fields.get('webhook'), problems, { source: 'body', at: 'webhook' })
  const orderKey = readKey(key, problems)
  throwIfAny(problems)
  return {
    name: name ?? nameFor(seeds),
    seeds,
    settings: { ...settingsFor(chosen, deps), seedUrl: givenSeed(fields) },
    topicRequest: topic,
    webhook,
    key: orderKey,
    fingerprint: fingerprintOf(body),
  }
}

/** The seed as written, where the body has only `url`. */
function givenSeed(fields: Fields): string | null {
  const url = fields.get('url')
  return typeof url === 'string' ? url : null
}

function readChosen(
  fields: Fields,
  options: readonly BodyOption[],
  deps: DecodeDeps,
  problems: Problems,
): Chosen {
  const chosen: Chosen = {}
  readOptions(fields, options, problems, (option, { at, raw }) => {
    Object.assign(chosen, readOption(option, raw, at, deps))
  })
  const named = withOwner(chosen, deps)
  const locationOf = (name: string) => ({ source: 'body' as const, at: fieldName(name) })
  const has = (name: string) => fields.has(fieldName(name))
  checkFocus(named, { has, locationOf }, problems)
  return named
}

/** A job that asks for the ordering of a plug-in has that plug-in. */
function withOwner(chosen: Chosen, { settings }: DecodeDeps): Chosen {
  const owner = settings.plugins.find(({ ordering }) => ordering?.name === chosen.ordering)
  if (owner === undefined || chosen.ordering === undefined) return chosen
  return { ...chosen, plugins: [...new Set([...(chosen.plugins ?? []), owner])] }
}

function readOption(option: BodyOption, raw: unknown, at: string, deps: DecodeDeps): Chosen {
  const granted = deps.settings.allowPrivate
  const isAskedFor = option.privileged && raw !== false && granted !== true
  // If the server allows some addresses, a job may ask for a part of them.
  const isPart = at === 'allow_private' && !isClosed(granted)
  if (isAskedFor && !isPart) {
    throw new InvalidInput(at, 'is only for servers that were started with "--allow-private"')
  }
  if (at === 'ordering' && typeof raw === 'string' && isModulePath(raw)) {
    throw new InvalidInput(at, 'is a name here, not a file')
  }
  const read = readWithin(option, plainValue(option, raw, at), at)
  if (read.fields) return { fields: checkedFieldRules(read.fields.given, at) }
  if (read.plugins !== undefined) return { plugins: allowedPlugins(read.plugins, at, deps) }
  if (isPart && !isGranted(read.allowPrivate ?? false, granted)) {
    throw new InvalidInput(at, `is open here to ${named(granted)} alone, not ${shown(raw)}`)
  }
  return read
}

/** By the names that plug-ins call themselves; no request names a file. */
function allowedPlugins(
  asked: readonly PluginRecord[],
  at: string,
  { settings }: DecodeDeps,
): readonly PluginRecord[] {
  const names = settings.plugins.map(({ name }) => name).join(', ')
  return asked.map(({ from }) => {
    const allowed = settings.plugins.find(({ name }) => name === from)
    if (allowed !== undefined) return allowed
    throw new InvalidInput(at, `there is no plug-in ${shown(from)} here; there is: ${names}`)
  })
}

/** The value for `read`. Instead of a file, a request carries its content, which has a fixed name. */
function plainValue({ carries }: BodyOption, raw: unknown, at: string): unknown {
  switch (carries) {
    case 'examples':
      return inline(raw, at, 'text') && EXAMPLES
    case 'words':
      return isList(raw, at) && STOP_WORDS
    case 'model':
      return inline(raw, at, 'model') && MODEL
    case 'pairs':
      return pairsOf(raw)
    case 'rules':
      return inline(raw, at, 'rules') && raw
    case null:
      return raw
  }
}

function isList(raw: unknown, at: string): true {
  const words = Array.isArray(raw) ? raw : [raw]
  if (words.length > 0 && words.every((word) => typeof word === 'string')) return true
  throw new InvalidInput(at, `needs a list of words, not ${shown(raw)}`)
}

function named(granted: AllowPrivate): string {
  return typeof granted === 'boolean' ? 'all' : granted.join(', ')
}

/** Refuses a path: it would name a file of the server. */
function inline(raw: unknown, at: string, form: 'text' | 'model' | 'rules'): true {
  if (typeof raw === 'object' && raw !== null && (form === 'text' || !Array.isArray(raw)))
    return true
  if (form === 'text' && typeof raw === 'string' && raw.trim() !== '') return true
  const needs =
    form === 'text'
      ? 'the examples themselves'
      : `the JSON object of the ${form === 'model' ? 'model itself' : 'rules themselves'}`
  throw new InvalidInput(at, `needs ${needs}, not ${shown(raw)}`)
}

/** An object as pairs `K=V`. */
function pairsOf(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  return Object.entries(raw).map(([name, value]) => `${name}=${valueText(value)}`)
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A list as a text with a word per line. */
function linesOf(raw: unknown): string {
  return Array.isArray(raw) ? raw.join('\n') : String(raw)
}

function readTopic(
  chosen: Chosen,
  fields: Fields,
  { checkTopic }: DecodeDeps,
  problems: Problems,
): TopicRequest | null {
  const given = (name: 'examples' | 'classifier') => {
    const file = chosen[name]
    if (file === undefined || file === null) return null
    return { file, text: valueText(fields.get(name)) }
  }
  const stopWords = () =>
    problems.try('body', () => readStopWords(linesOf(fields.get('stop_words')), 'stop_words'))
  const request = topicRequest(
    chosen,
    {
      ...{ examples: given('examples'), classifier: given('classifier') },
      stopWords: chosen.stopWords === undefined ? null : stopWords(),
    },
    problems,
  )
  if (request !== null) checkTopic(request, problems)
  return request
}

function readName(raw: unknown, problems: Problems): string | null {
  if (raw === undefined) return null
  const name = typeof raw === 'string' ? raw.trim() : ''
  if (name !== '' && name.length <= MAX_NAME && !/[\x00-\x1f\x7f]/.test(name)) return name
  problems.add('body', 'name', `needs one line of 1 to ${MAX_NAME} characters, not ${shown(raw)}`)
  return null
}

function readKey(key: string | undefined, problems: Problems): string | null {
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return key ?? null
  problems.add('body', 'Idempotency-Key', 'needs 1 to 255 visible ASCII characters')
  return null
}

export function settingsFor(chosen: Chosen, deps: DecodeDeps): CrawlSettings {
  const { settings } = deps
  const { contact, userAgent } = settings.defaults
  const saysWho = chosen.contact !== undefined || chosen.userAgent !== undefined
  const usual: Chosen = {
    ...usualSettings(deps),
    allowPrivate: settings.allowPrivate,
    proxies: settings.proxies,
    dns: settings.dns,
    ...(contact === null ? {} : { contact }),
    ...(saysWho || userAgent === null ? {} : { userAgent }),
  }
  const connectTo = [...(chosen.connectTo ?? []), ...settings.connectTo]
  const wanted = { ...usual, ...chosen, connectTo }
  return settingsFrom(wanted, settings.cores, chosenOrdering(chosen).focused)
}

/** Equal for equal bodies, in any order of fields. */
function fingerprintOf(body: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    sorted(inner),
  ])
  return entries.sort(([a], [b]) => (a < b ? -1 : 1))
}

const FIELDS = ['topic', 'keywords', 'topic_model', 'language', 'stop_words']
const ELSEWHERE = new Map(
  ['examples', 'classifier'].map((name) => [name, 'a dry run of jelajah crawl shows their words']),
)

/** The fields of the body of `POST /topic`: those of `POST /crawl` that describe a topic in words. */
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
