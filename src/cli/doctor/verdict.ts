// What a check of `jelajah doctor` comes to. One never throws: what it cannot do is what it reports.

export type Finding = {
  readonly check: string
  /** `warn`: a crawl works, but not as well as it could. `skip`: another check says why. */
  readonly result: 'ok' | 'warn' | 'fail' | 'skip'
  readonly detail: string
  /** What to do; '' when there is nothing to do. */
  readonly advice: string
}

export type Verdict = Omit<Finding, 'check'>
export type Check = {
  readonly name: string
  /** Checks without which this one would only say the same again. */
  readonly needs?: readonly string[]
  readonly run: () => Verdict | Promise<Verdict>
}

export function ok(detail: string): Verdict {
  return { result: 'ok', detail, advice: '' }
}

export function fail(detail: string, advice: string): Verdict {
  return { result: 'fail', detail, advice }
}
