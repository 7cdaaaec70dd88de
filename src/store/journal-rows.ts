// The edge between what happened to jobs and rows of `crawl_events` and `crawl_history`.
import { JOB_STATUSES } from '../core/job.ts'
import type { JobEvent, KeptEvent, Sample } from './job-journal.ts'
import { numberOf, type Row, textOf } from './row-values.ts'

export function columnsOf(event: JobEvent): { readonly status: string; readonly text: string } {
  switch (event.type) {
    case 'status':
      return { status: event.status, text: event.note }
    case 'notice':
      return { status: '', text: event.text }
    case 'removed':
      return { status: '', text: '' }
  }
}

export function keptFrom(row: Row): KeptEvent {
  return {
    id: numberOf(row, 'id'),
    crawlId: numberOf(row, 'crawl_id'),
    at: numberOf(row, 'at'),
    event: eventFrom(row),
  }
}

function eventFrom(row: Row): JobEvent {
  const type = textOf(row, 'type')
  const text = textOf(row, 'text')
  if (type === 'removed') return { type }
  if (type !== 'status') return { type: 'notice', text }
  const status = JOB_STATUSES.find((known) => known === textOf(row, 'status')) ?? 'failed'
  return { type, status, note: text }
}

/** In the order of their numbers in the file. */
const FIELDS = [
  'at',
  'stored',
  'refused',
  'failed',
  'queued',
  'pagesPerSecond',
  'recentHarvestRate',
  'scouterRssBytes',
  'parserRssBytes',
  'cpu',
  'bytes',
  'outside',
] as const satisfies readonly (keyof Sample)[]

function numbersOf(sample: Sample): (number | null)[] {
  return FIELDS.map((field) => {
    const value = sample[field]
    return value === null ? null : Math.round(value * 1000) / 1000
  })
}

function sampleFrom(numbers: readonly unknown[]): Sample {
  const at = (field: (typeof FIELDS)[number]): number => Number(numbers[FIELDS.indexOf(field)] ?? 0)
  const rate = numbers[FIELDS.indexOf('recentHarvestRate')]
  return {
    at: at('at'),
    stored: at('stored'),
    refused: at('refused'),
    outside: at('outside'),
    failed: at('failed'),
    queued: at('queued'),
    bytes: at('bytes'),
    pagesPerSecond: at('pagesPerSecond'),
    recentHarvestRate: typeof rate === 'number' ? rate : null,
    scouterRssBytes: at('scouterRssBytes'),
    parserRssBytes: at('parserRssBytes'),
    cpu: at('cpu'),
  }
}

export function samplesText(samples: readonly Sample[]): string {
  return JSON.stringify(samples.map(numbersOf))
}

export function samplesFrom(text: string): readonly Sample[] {
  const kept: unknown = JSON.parse(text)
  return Array.isArray(kept) ? kept.filter(Array.isArray).map(sampleFrom) : []
}
