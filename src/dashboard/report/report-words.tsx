// Names, figures and sentences that several parts of a report use.
import { fit } from '../../lib/terminal.ts'
import type { ReportData } from '../../simulate/report/report-data.ts'
import { formatCount, formatDecimal, formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'

const NAME_CELLS = 28

/** A name that leaves room for the picture beside it. */
export function shortName(name: string): string {
  return fit(name, NAME_CELLS)
}

export function showTick(value: number, decimals: number): string {
  return decimals === 0 ? formatCount(value) : formatDecimal(value, decimals)
}

/** `12.5%`. */
export function percent(share: number): string {
  return formatShare(share, 1)
}

/** The name of the measure that decides the order. */
export function leadName({ lead: { key, share } }: ReportData): string {
  if (key === 'nauc20' || share === null) return 'nAUC20'
  return t('report.leadAt', { name: t(`report.${key}.title`), share: percent(share) })
}

/** One number, or from the least to the most where topics start from different seeds. */
export function reachableText({ reachable: [least, most] }: ReportData): string {
  return least === most ? formatCount(most) : `${formatCount(least)}–${formatCount(most)}`
}

export function delayText({ delayMs }: ReportData): string {
  return delayMs === null ? t('report.noDelay') : t('report.delay', { ms: delayMs })
}

/** On what, with which budget and seeds: part of every caption. */
export function settingText(report: ReportData): string {
  const { topics, seeds, web, budget, judgedBy } = report
  return t('report.setting', {
    mean: topics.length === 1 ? t('report.oneTopic') : t('report.meanOf', { n: topics.length }),
    seeds: seeds.join(', '),
    web: web.name,
    pages: reachableText(report),
    hosts: web.hosts,
    budget: percent(budget),
    delay: delayText(report),
    judge: t(`report.judge.${judgedBy}`),
  })
}

/** Its words are not torn apart at their hyphens. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <code>
      {command.split(' ').map((word, at) => (
        <>
          <span key={at}>{word}</span>{' '}
        </>
      ))}
    </code>
  )
}
