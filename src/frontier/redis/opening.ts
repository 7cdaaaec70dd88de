// What must be put right when a run begins, in steps that leave others a turn: URLs that were out of
// reach are tried again, and hosts are placed by the settings of this run.
import type { Calls, Word } from './calls.ts'
import type { LinkRules } from './link-arguments.ts'
import { listOf } from './reply.ts'

const URLS_AT_ONCE = 1000
const HOSTS_AT_ONCE = 500

/** `lastHost`: those that came since are in line already. */
export async function bringInLine(calls: Calls, rules: LinkRules, lastHost: number): Promise<void> {
  for (let isMore = true; isMore; ) {
    const { reply } = await calls.run('reopen', [URLS_AT_ONCE])
    isMore = reply[0] === 1
  }
  let verdicts: Word[] = []
  for (let first = 1; first <= lastHost; first += HOSTS_AT_ONCE) {
    const last = Math.min(lastHost, first + HOSTS_AT_ONCE - 1)
    const { reply } = await calls.run('refresh', [first, last, verdicts.length / 2, ...verdicts])
    verdicts = listOf(reply[0]).flatMap((each) => {
      const [id, name] = listOf(each)
      return [Number(id), rules.inScope(String(name)) ? 1 : 0]
    })
  }
  await calls.run('refresh', [1, 0, verdicts.length / 2, ...verdicts])
  for (const key of ['retry', 'parked']) await refreshRetries(calls, key)
}

async function refreshRetries(calls: Calls, key: string): Promise<void> {
  for (let seen = 0; seen >= 0; ) {
    const { reply } = await calls.run('refresh-retries', [key, seen, URLS_AT_ONCE])
    seen = Number(reply[0])
  }
}
