// Jobs have numbers inside and names outside: `crawl_7`.

const FORM = /^crawl_([1-9][0-9]{0,14})$/

export function jobId(crawlId: number): string {
  return `crawl_${crawlId}`
}

/** Null when that is not how a job is named. */
export function readJobId(id: string): number | null {
  const digits = FORM.exec(id)?.[1]
  return digits === undefined ? null : Number(digits)
}
