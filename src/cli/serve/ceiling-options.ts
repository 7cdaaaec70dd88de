// The flags of `jelajah serve` that say what a job over HTTP may ask for at most.
import { DEFAULT_CEILINGS, type JobCeilings } from '../../options/job-ceilings.ts'
import { bytes, number, type Option } from '../../options/option.ts'

const DAY_MS = 86_400_000
/** The longest time a timer can be set to, in whole seconds. */
const MAX_SECONDS = 2_147_483

export const CEILING_OPTIONS: readonly Option<JobCeilings>[] = [
  number({
    name: 'job-min-delay',
    env: 'JELAJAH_JOB_MIN_DELAY',
    value: 'MS',
    min: 0,
    max: DAY_MS,
    default: String(DEFAULT_CEILINGS.minDelayMs),
    help: 'the smallest delay a job may ask for',
    to: (minDelayMs) => ({ minDelayMs }),
  }),
  number({
    name: 'job-max-pages',
    env: 'JELAJAH_JOB_MAX_PAGES',
    min: 1,
    default: String(DEFAULT_CEILINGS.maxPages),
    help: 'the most pages a job may ask for',
    to: (maxPages) => ({ maxPages }),
  }),
  bytes({
    name: 'job-max-body',
    env: 'JELAJAH_JOB_MAX_BODY',
    min: 1024,
    max: 2 ** 30,
    default: '256MiB',
    help: 'the longest body a job may ask for',
    to: (maxBodyBytes) => ({ maxBodyBytes }),
  }),
  number({
    name: 'job-max-concurrency',
    env: 'JELAJAH_JOB_MAX_CONCURRENCY',
    min: 1,
    max: 4096,
    default: 'as many as --connections',
    help: 'the most requests in flight a job may ask for',
    to: (maxConcurrency) => ({ maxConcurrency }),
  }),
  number({
    name: 'job-max-per-host',
    env: 'JELAJAH_JOB_MAX_PER_HOST',
    min: 1,
    max: 256,
    default: String(DEFAULT_CEILINGS.maxPerHost),
    help: 'the most of them to one host',
    to: (maxPerHost) => ({ maxPerHost }),
  }),
  number({
    name: 'job-max-duration',
    env: 'JELAJAH_JOB_MAX_DURATION',
    value: 'SECONDS',
    min: 1,
    max: MAX_SECONDS,
    default: 'none',
    help: 'the longest time a job may ask for; one that does not say has this',
    to: (seconds) => ({ maxDurationMs: seconds * 1000 }),
  }),
]

/** By `keyOf` their names, for the config file. */
export const CEILING_KEYS: readonly string[] = CEILING_OPTIONS.map(({ name }) =>
  name.replaceAll('-', ''),
)
