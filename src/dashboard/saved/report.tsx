// A comparison of orderings that `simulate` saved as one HTML file.
import { type ComponentChildren, render, type VNode } from 'preact'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/report.css'
import type { ReportData } from '../../simulate/report/report-data.ts'
import { formatCount, formatDecimal } from '../format.ts'
import { type MessageKey, t } from '../i18n/i18n.ts'
import { figuresOf } from '../report/report-figures.tsx'
import { tablesOf } from '../report/report-tables.tsx'
import {
  CommandLine,
  delayText,
  leadName,
  percent,
  reachableText,
  settingText,
} from '../report/report-words.tsx'
import { followSystem } from '../state/preferences.ts'
import { savedData } from './saved-data.ts'

const report = savedData<ReportData>()
followSystem(report.language)
document.title = `${t('report.title')}: ${report.web.name}`
const place = document.querySelector('#app')
if (place !== null) render(<Report report={report} />, place)

/**
 * A comparison of orderings: which came first and under which conditions, pictures, tables, and under each
 * what was measured and how to do it again. It is fit for a screen and for paper.
 */
function Report({ report }: { readonly report: ReportData }) {
  const caption = (key: MessageKey, n: number, title: string, what: string): VNode => (
    <>
      <b>{t(key, { n, title })}</b> {what}{' '}
      <span class="setting">
        {settingText(report)}{' '}
        <span class="again">
          {t('report.reproduce')}: <CommandLine command={report.command} />
        </span>
      </span>
    </>
  )
  return (
    <div class="report">
      <Head report={report} />
      <main>
        {figuresOf(report).map(({ title, what, shown }, at) => (
          <section key={title}>
            <h2>{title}</h2>
            <figure>
              {shown}
              <figcaption>{caption('report.figure', at + 1, title, what)}</figcaption>
            </figure>
          </section>
        ))}
        {tablesOf(report).map(({ title, what, shown }, at) => (
          <section key={title}>
            <h2>{title}</h2>
            {shown(caption('report.table', at + 1, title, what))}
          </section>
        ))}
      </main>
    </div>
  )
}

function Head({ report }: { readonly report: ReportData }) {
  const { web, topics, seeds, budget, command, version } = report
  const size = { pages: reachableText(report), hosts: web.hosts, sites: web.sites }
  const facts: readonly (readonly [MessageKey, ComponentChildren])[] = [
    ['report.web', web.name],
    ['report.size', t('report.reachable', size)],
    ['report.topics', topics.join(', ')],
    ['report.budget', t('report.budgetShare', { share: percent(budget) })],
    ['report.seeds', seeds.join(', ')],
    ['report.politeness', delayText(report)],
    ['report.reproduce', <CommandLine key="command" command={command} />],
    ['report.madeBy', `Jelajah ${version}`],
  ]
  return (
    <header>
      <h1>{t('report.title')}</h1>
      <p class="verdict">{verdict(report)}</p>
      <dl>
        {facts.map(([name, value]) => (
          <>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </header>
  )
}

function verdict(report: ReportData): string {
  const [best, second] = report.orderings
  const { bars, duel } = report.lead
  if (best === undefined) return ''
  const value = formatDecimal(bars[0]?.mean ?? null, 1)
  const first = t('report.verdict', { best: best.name, lead: leadName(report), value })
  if (second === undefined || duel === null) return first
  const { wins, topics, difference } = duel
  const by = { wins: formatCount(wins), topics, difference: formatDecimal(difference, 1) }
  return `${first} ${t('report.beats', { other: second.name, ...by })}`
}
