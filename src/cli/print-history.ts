// What later rounds of a crawl made of one page, for people.
import type { PageHistory } from '../core/page.ts'
import { showNumber, showTime } from '../lib/format.ts'

export function historyLines({ looks, gone }: PageHistory): [string, string][] {
  return [
    ...(looks === null ? [] : [['looked', looksText(looks)] as [string, string]]),
    ...(gone === null ? [] : [['gone', goneText(gone)] as [string, string]]),
  ]
}

function looksText({ checks, changes, checkedAt, round, dueAt }: Looks): string {
  const times = `${showNumber(checks, 'time')} again, the last ${showTime(checkedAt)} in round ${round}`
  const changed = changes === 0 ? 'never changed' : `changed ${showNumber(changes, 'time')}`
  return `${times}; ${changed}; due from ${showTime(dueAt)}`
}

function goneText({ at, round, reason, pageId }: Gone): string {
  return `${showTime(at)} in round ${round}: ${reason}; until then it was page ${pageId}`
}

type Looks = NonNullable<PageHistory['looks']>
type Gone = NonNullable<PageHistory['gone']>
