// The top of the page: who came first, and under which conditions.
import { VERSION } from '../../core/version.ts'
import { measureOf, read } from '../reading.ts'
import type { RunFacts } from '../run-facts.ts'
import { type Summary, topicsFor } from '../summary.ts'
import { duel } from '../wins.ts'
import { showDelay, showReachable } from './captions.ts'
import { commandLine, html, type Markup } from './markup.ts'
import { lookOf } from './palette.ts'
import { shortName, showCount, showDecimal, showShare, type Words } from './words.ts'

export function drawHead(summary: Summary, facts: RunFacts, words: Words): Markup {
  const { web, grid, seeds, topics } = summary
  const size = words.facts.reachable(
    showReachable(summary, words),
    showCount(web.hosts, words),
    showCount(web.sites, words),
  )
  const rows: [string, string | Markup][] = [
    [words.facts.web, facts.web],
    [words.facts.pages, size],
    [words.facts.topics, topics.map(({ topic }) => topic).join(', ')],
    [words.facts.budget, words.facts.budgetShare(showShare(grid.at(-1) ?? 0, words))],
    [words.facts.seeds, seeds.join(', ')],
    [words.facts.politeness, showDelay(facts.delayMs, words)],
    [words.reproduce, commandLine(facts.command)],
    [words.facts.made, `Jelajah ${VERSION}`],
  ]
  return html`<header>
<h1>${words.title}</h1>
<p class="verdict">${verdict(summary, words)}</p>
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
</header>`
}

/** The name of what decides, as text. */
export function leadName({ lead }: Summary, words: Words): string {
  if (lead.share === undefined) return words.leadNames.nauc20
  const title = lead.key === 'recall' ? words.charts.recall.title : words.charts.pagerankSum.title
  return words.leadNames.other(title, showShare(lead.share, words))
}

export function drawLegend({ contenders }: Summary, words: Words): Markup {
  const entries = contenders.map(({ name, hostPolicy }, place) => {
    const { colour, dash } = lookOf(place)
    return html`<li><svg viewBox="0 0 30 10" aria-hidden="true"><path class="${colour}" stroke-dasharray="${dash}" d="M0 5H30"/></svg><span${place === 0 ? html` class="strong"` : null}>${shortName(name)}</span> <small>${name.endsWith(hostPolicy) ? '' : hostPolicy}</small></li>`
  })
  return html`<ul class="legend" aria-label="${words.legend}">${entries}</ul>`
}

function verdict(summary: Summary, words: Words): string {
  const [best, second] = summary.contenders
  if (best === undefined) return ''
  const digits = measureOf(summary.lead).unit === 'index' ? 2 : 1
  const value = showDecimal(read(best.mean, summary.lead, summary.grid), digits, words)
  const first = words.verdict(best.name, leadName(summary, words), value)
  if (second === undefined || topicsFor(summary.topics, summary.lead).length < 2) return first
  const { wins, topics, difference } = duel(summary, best, second, summary.lead)
  const by = showDecimal(difference, digits, words)
  return `${first} ${words.beats(second.name, String(wins), String(topics), by)}`
}
