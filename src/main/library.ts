// What `import 'jelajah'` gives. docs/api-report.md lists it; what is listed there changes only on purpose.
export { EXIT, type ExitCode } from '../cli/exit-codes.ts'
export type { Output } from '../cli/output.ts'
export { runCommand } from '../cli/run-command.ts'
export { CrawlerError, type CrawlerErrorCode, InvalidInput } from '../core/errors.ts'
export type { FieldRule, FieldRulesGiven, FieldType } from '../core/field-rules.ts'
export type { PageKind, Part, PartRow, StoredPage } from '../core/page.ts'
export type { CrawlSummary } from '../core/summary.ts'
export { VERSION } from '../core/version.ts'
export type { UrlRecord, UrlState } from '../core/visit.ts'
export type {
  FacetValue,
  LinkGraph,
  PageEdge,
  PageNode,
  SearchAnswer,
  SearchHit,
  SiteEdge,
  SiteNode,
  UrlStory,
} from '../library/answers.ts'
export { type CrawlRun, crawl, type RunOptions } from '../library/crawl.ts'
export { type Config, type CrawlOptions, defineConfig } from '../library/crawl-options.ts'
export type { CrawledPage } from '../library/crawled-page.ts'
export type { CrawlEvent, CrawlProgress } from '../library/event-stream.ts'
export type { ExportRequest } from '../library/export-stream.ts'
export { type ParsedPage, type ParseOptions, parsePage } from '../library/parse-page.ts'
export {
  type CrawlChoice,
  type CrawlRecord,
  type GraphQuery,
  openWorkspace,
  type PageQuery,
  type SearchQuery,
  type UrlQuery,
  type Workspace,
} from '../library/workspace.ts'
export { BadOptions, type Problem } from '../options/bad-options.ts'
export type { Candidate, Judge, Ordering, Scorer, Signals } from '../ordering/ordering.ts'
export type {
  Answer,
  PageChanges,
  Plugin,
  PluginLink,
  PluginPage,
  PluginRequest,
  RequestChanges,
} from '../plugin/plugin.ts'
export type { WholePage } from '../store/page-reader.ts'
