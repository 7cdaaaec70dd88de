/** Where a view is asked to show something. */
export type ViewProps = {
  /** `crawl_1`; '' outside of a job. */
  readonly jobId: string
  /** 0 outside of a page. */
  readonly pageId: number
  /** What stands after `?` in the address. */
  readonly query: Readonly<Record<string, string>>
}
