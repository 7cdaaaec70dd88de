// Jobs as the API speaks of them. A shape is schema and type in one: Fastify checks and writes by it,
// the OpenAPI document shows it, the compiler holds the code to it. Times are epoch milliseconds.
import { type Static, Type } from 'typebox'
import { JOB_ORIGINS, JOB_STATUSES } from '../../core/job.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])

export const JobId = Type.String({ pattern: '^crawl_[1-9][0-9]{0,14}$', examples: ['crawl_1'] })
const Status = Type.Enum([...JOB_STATUSES])

/** `POST /crawl`: fixed, nothing is ever added. */
export const JobStarted = Type.Object({ job_id: JobId, status: Status })

/** One page of `GET /crawl/:id`: fixed. */
export const FetchedPage = Type.Object({
  url: Type.String(),
  status_code: Type.Integer(),
  title: Type.String(),
  links: Type.Array(Type.String()),
  crawled_at: Type.Integer(),
})
/** A fetch that failed, after the pages: what the server answered, or why there was no answer. */
const FailedFetch = Type.Object({
  url: Type.String(),
  status_code: Type.Optional(Type.Integer()),
  error: Type.Optional(Type.String()),
})
export type FetchedPage = Static<typeof FetchedPage>

/** `GET /crawl/:id`: fixed. */
export const JobWithPages = Type.Object({
  job: Type.Object({
    id: JobId,
    status: Status,
    seed_url: Type.String(),
    max_pages: Type.Integer(),
    pages: Type.Array(Type.Union([FetchedPage, FailedFetch])),
    started_at: Type.Integer(),
    ended_at: nullable(Type.Integer()),
  }),
})

/** What a round has found so far: `new + changed + unchanged + kept` is what is stored, duplicates too. */
export const JobRefresh = Type.Object({
  round: Type.Integer(),
  new: Type.Integer(),
  changed: Type.Integer(),
  gone: Type.Integer(),
  unchanged: Type.Integer(),
  /** Pages it has no answer about: the next three together. */
  kept: Type.Integer(),
  not_due: Type.Integer(),
  not_yet: Type.Integer(),
  unanswered: Type.Integer(),
})
export type JobRefresh = Static<typeof JobRefresh>

/** A job at a glance: in lists, beside everything about it, and in events. */
export const JobSummary = Type.Object({
  id: JobId,
  name: Type.String(),
  status: Status,
  /** Why it is so, in words, where the status alone does not say. */
  note: Type.String(),
  origin: Type.Enum([...JOB_ORIGINS]),
  seeds: Type.Array(Type.String()),
  ordering: Type.String(),
  /** What it is about, in words; null: nothing in particular. */
  topic: nullable(Type.String()),
  max_pages: Type.Integer(),
  started_at: Type.Integer(),
  ended_at: nullable(Type.Integer()),
  /** Time it has been running, over all its runs. */
  ran_ms: Type.Integer(),
  /** Times it was begun to be looked at again after it had completed; left out: none. */
  round: Type.Optional(Type.Integer()),
  /** What the last of these times has found; left out: there was none. */
  refresh: Type.Optional(JobRefresh),
  /** True while another program runs it, such as `jelajah crawl`: only that can pause or stop it. */
  elsewhere: Type.Boolean(),
  /** Jobs that will start before it; null unless it waits for its turn. */
  ahead: nullable(Type.Integer()),
  stored: Type.Integer(),
  duplicates: Type.Integer(),
  /** What the web or a rule forbade. */
  refused: Type.Integer(),
  /** Links that scope, globs or depth left out. */
  outside: Type.Integer(),
  failed: Type.Integer(),
  queued: Type.Integer(),
  bytes: Type.Integer(),
  /** Hot pages, and pages judged; null without a topic and without importance. */
  hot: nullable(Type.Integer()),
  judged: nullable(Type.Integer()),
})
export type JobSummary = Static<typeof JobSummary>

export const JobList = Type.Object({
  jobs: Type.Array(JobSummary),
  /** For `after` of the next request; null: that was all. */
  next: nullable(Type.String()),
})
export type JobList = Static<typeof JobList>

export const HOST_CONDITIONS = [
  'busy',
  'ready',
  'waiting',
  'slow',
  'blocked',
  'troubled',
  'done',
] as const

/**
 * `busy`: a request is under way. `ready`: may be asked now. `waiting`: until `rests_until`. `slow`: it
 * failed or is overloaded, and rests longer. `blocked`: robots.txt forbids it or, where `trouble`
 * begins with `robots-unreachable`, is not given out. `troubled`: it could not be reached, or failed. `done`: nothing of it waits.
 */
export const JobHost = Type.Object({
  host: Type.String(),
  site: Type.String(),
  condition: Type.Enum([...HOST_CONDITIONS]),
  queued: Type.Integer(),
  in_flight: Type.Integer(),
  stored: Type.Integer(),
  failures: Type.Integer(),
  /** What its last failure was; ''. */
  trouble: Type.String(),
  delay_ms: Type.Integer(),
  rests_until: Type.Integer(),
})
export type JobHost = Static<typeof JobHost>
export const JobHosts = Type.Object({ hosts: Type.Array(JobHost) })

const JobProcess = Type.Object({
  role: Type.String({ description: 'scouter, parser or server' }),
  pid: Type.Integer(),
  rss_bytes: Type.Integer(),
  /** Share of one core over the last seconds: 1 is a core fully used. */
  cpu: Type.Number(),
})

/** A running job, moment by moment. */
export const JobProgress = Type.Object({
  at: Type.Integer(),
  stored: Type.Integer(),
  duplicates: Type.Integer(),
  refused: Type.Integer(),
  outside: Type.Integer(),
  failed: Type.Integer(),
  queued: Type.Integer(),
  in_flight: Type.Integer(),
  /** URLs still to be looked at again; missing if the job is no recrawl. */
  revisits: Type.Optional(Type.Integer()),
  bytes: Type.Integer(),
  pages_per_second: Type.Number(),
  /** Jain's index over seeds' domains, by what each could have been given. */
  fairness: Type.Number(),
  /** The rate over all judged pages, and over the last ones; null without a topic or before the first page. */
  harvest_rate: nullable(Type.Number()),
  recent_harvest_rate: nullable(Type.Number()),
  restarts: Type.Integer(),
  /** What is done while no page is fetched ('computing the importance of 200 pages'); ''. */
  busy: Type.String(),
  processes: Type.Array(JobProcess),
  hosts: Type.Array(JobHost),
})
export type JobProgress = Static<typeof JobProgress>

/** Everything about a job but its pages. */
export const JobOverview = Type.Object({
  job: JobSummary,
  /** All options as they would be written in the body of `POST /crawl`. */
  options: Type.Record(Type.String(), Type.Unknown()),
  /** Null unless it is running. */
  progress: nullable(JobProgress),
  /** Stored pages per host, the most first, at most 1000. */
  pages_per_host: Type.Record(Type.String(), Type.Integer()),
  fairness: Type.Number(),
})
export type JobOverview = Static<typeof JobOverview>

/** Curves over time, column by column, all of the same length; at most some hundred samples. */
export const JobHistory = Type.Object({
  at: Type.Array(Type.Integer()),
  stored: Type.Array(Type.Integer()),
  refused: Type.Array(Type.Integer()),
  outside: Type.Array(Type.Integer()),
  failed: Type.Array(Type.Integer()),
  queued: Type.Array(Type.Integer()),
  pages_per_second: Type.Array(Type.Number()),
  recent_harvest_rate: Type.Array(nullable(Type.Number())),
  scouter_rss_bytes: Type.Array(Type.Integer()),
  parser_rss_bytes: Type.Array(Type.Integer()),
  cpu: Type.Array(Type.Number()),
})
export type JobHistory = Static<typeof JobHistory>
