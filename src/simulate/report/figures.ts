// The pictures of a report, in the order they are read: who is best, how each measure went along the
// crawl, the same over time, and topic by topic.
import type { Contender } from '../contenders.ts'
import { curvesOverHours } from '../over-hours.ts'
import { read } from '../reading.ts'
import { type Summary, topicSpread, topicsFor } from '../summary.ts'
import { type Bar, drawBarChart } from './bar-chart.ts'
import type { CaptionMaker } from './captions.ts'
import { highest, hourLines, lastShare, meanLines, topicLines } from './chart-lines.ts'
import { drawLegend, leadName } from './head.ts'
import { drawLineChart } from './line-chart.ts'
import { html, type Markup } from './markup.ts'
import { lookOf } from './palette.ts'
import { drawSmallMultiples } from './small-multiples.ts'
import {
  CHART_KEYS,
  type ChartKey,
  shortName,
  showCount,
  showDecimal,
  type Words,
} from './words.ts'

const OVER_HOURS: readonly ChartKey[] = ['harvest', 'recall', 'pagerankSum']
const PER_TOPIC: readonly ChartKey[] = ['harvest', 'ofIdeal']

export function drawFigures(summary: Summary, words: Words, captions: CaptionMaker): Markup {
  const shown = CHART_KEYS.filter((key) => wasMeasured(summary, key))
  return html`${drawLead(summary, words, captions)}
${shown.map((key) => drawMeasure(summary, key, words, captions))}
${OVER_HOURS.filter((key) => shown.includes(key)).map((key) => drawOverHours(summary, key, words, captions))}
${PER_TOPIC.filter((key) => shown.includes(key)).map((key) => drawPerTopic(summary, key, words, captions))}`
}

function drawLead(summary: Summary, words: Words, captions: CaptionMaker): Markup {
  const name = leadName(summary, words)
  const title = words.leadTitle(name)
  const bars = summary.contenders.map((contender, place) => barOf(summary, contender, place, words))
  const max = Math.max(
    0,
    ...bars
      .flatMap(({ mean, topics }) => [mean, ...topics.map((t) => t.value)])
      .filter(Number.isFinite),
  )
  const what =
    summary.lead.key === 'nauc20' ? `${words.leadWhat} ${words.naucWhat}` : words.leadWhat
  const picture = drawBarChart({
    id: 'lead',
    title,
    axis: name,
    bars,
    max,
    showTick: tickIn(words),
  })
  return figure(title, picture, captions.figure(title, what))
}

function barOf(summary: Summary, contender: Contender, place: number, words: Words): Bar {
  const { lead, grid } = summary
  const { deviation, count } = topicSpread(summary, contender, lead)
  const mean = read(contender.mean, lead, grid)
  const spread = count > 1 ? ` ± ${showDecimal(deviation, 1, words)}` : ''
  return {
    name: shortName(contender.name),
    look: lookOf(place),
    strong: place === 0,
    mean,
    value: `${showDecimal(mean, 1, words)}${spread}`,
    topics: topicsFor(summary.topics, lead).flatMap(({ topic }) => {
      const figures = contender.byTopic.get(topic)
      return figures === undefined ? [] : [{ name: topic, value: read(figures, lead, grid) }]
    }),
  }
}

function drawMeasure(
  summary: Summary,
  key: ChartKey,
  words: Words,
  captions: CaptionMaker,
): Markup {
  const { title, axis, what } = words.charts[key]
  const lines = meanLines(summary, key, words)
  const note = summary.references.has(key) ? ` ${words.referencesNote}` : ''
  const picture = drawLineChart({
    id: key,
    title,
    xTitle: words.axisShare,
    yTitle: axis,
    lines,
    xMax: 100 * lastShare(summary, key),
    yMax: highest(lines),
    showTick: tickIn(words),
  })
  return figure(title, picture, captions.figure(title, what + note))
}

/** Null when the replays knew no time. */
function drawOverHours(
  summary: Summary,
  key: ChartKey,
  words: Words,
  captions: CaptionMaker,
): Markup | null {
  const curves = curvesOverHours(summary, key, lastShare(summary, key))
  if (curves === null) return null
  const { title: name, axis, what } = words.charts[key]
  const title = words.overHours(name)
  const lines = hourLines(summary.contenders, curves, key, words)
  const picture = drawLineChart({
    id: `${key}-hours`,
    title,
    xTitle: words.axisHours,
    yTitle: axis,
    lines,
    xMax: curves.hours.at(-1) ?? 1,
    yMax: highest(lines),
    showTick: tickIn(words),
  })
  return figure(title, picture, captions.figure(title, `${what} ${words.overHoursNote}`))
}

function drawPerTopic(
  summary: Summary,
  key: ChartKey,
  words: Words,
  captions: CaptionMaker,
): Markup {
  const { title: name, what, axis } = words.charts[key]
  const title = words.multiplesTitle(name)
  const panels = topicsFor(summary.topics, { key, share: 1 }).map(({ topic, relevant }) => ({
    name: topic,
    note: words.relevantPages(showCount(relevant, words)),
    lines: topicLines(summary, topic, key, words),
  }))
  const picture = drawSmallMultiples({
    id: `${key}-topics`,
    panels,
    xMax: 100 * lastShare(summary, key),
    yMax: Math.max(0, ...panels.map(({ lines }) => highest(lines))),
    showTick: tickIn(words),
  })
  const axes = `↑ ${axis}; → ${words.axisShare}.`
  const caption = captions.figure(title, `${what} ${words.multiplesWhat} ${axes}`)
  return html`<h2>${title}</h2>
<figure>${drawLegend(summary, words)}${picture}<figcaption>${caption}</figcaption></figure>`
}

function figure(title: string, picture: Markup, caption: Markup): Markup {
  return html`<h2>${title}</h2>
<figure><div class="scroll"><div class="wide">${picture}</div></div>
<figcaption>${caption}</figcaption></figure>`
}

function wasMeasured({ contenders }: Summary, key: ChartKey): boolean {
  return contenders.some(({ mean }) => mean.curves[key].some((value) => Number.isFinite(value)))
}

function tickIn(words: Words): (value: number, decimals: number) => string {
  return (value, decimals) =>
    decimals === 0 ? showCount(value, words) : showDecimal(value, decimals, words)
}
