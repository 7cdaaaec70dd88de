// What stands under a picture: its number, what was measured, on what, with which budget and seeds,
// and how to do it again.
import type { RunFacts } from '../run-facts.ts'
import type { Summary } from '../summary.ts'
import { commandLine, html, type Markup } from './markup.ts'
import { showCount, showShare, type Words } from './words.ts'

/** Numbers run through the page: a maker is for one report. */
export type CaptionMaker = {
  figure(title: string, what: string): Markup
  table(title: string, what: string): Markup
}

export function captionMaker(summary: Summary, facts: RunFacts, words: Words): CaptionMaker {
  const setting = words.setting({
    web: facts.web,
    pages: showReachable(summary, words),
    hosts: showCount(summary.web.hosts, words),
    topics: summary.topics.length,
    seeds: summary.seeds.join(', '),
    budget: showShare(summary.grid.at(-1) ?? 0, words),
    delay: showDelay(facts.delayMs, words),
    judge: words.facts.judges[facts.judgedBy],
  })
  const end = html`<span class="setting">${setting} <span class="again">${words.reproduce}: ${commandLine(facts.command)}</span></span>`
  let figures = 0
  let tables = 0
  return {
    figure: (title, what) => html`<b>${words.figure} ${++figures}. ${title}.</b> ${what} ${end}`,
    table: (title, what) => html`<b>${words.table} ${++tables}. ${title}.</b> ${what} ${end}`,
  }
}

/** One number, or from the least to the most where topics start from different seeds. */
export function showReachable({ topics }: Summary, words: Words): string {
  const reach = topics.map(({ reachable }) => reachable)
  const [least, most] = [Math.min(...reach), Math.max(...reach)]
  return least === most
    ? showCount(most, words)
    : `${showCount(least, words)}–${showCount(most, words)}`
}

export function showDelay(delayMs: number | null, words: Words): string {
  return delayMs === null ? words.facts.noDelay : words.facts.delay(showCount(delayMs, words))
}
