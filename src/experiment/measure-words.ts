// Names of measures, metrics and processes in reports and tables, in the languages of reports.
import type { Language } from '../core/languages.ts'
import type { MeasureRef } from './experiment.ts'

type Words = Readonly<Record<string, string>>

const MEASURES: Readonly<Record<Language, Words>> = {
  en: {
    pages: 'Pages',
    reachable: 'Reachable pages',
    seconds: 'Seconds',
    pages_per_second: 'Pages per second',
    virtual_seconds: 'Seconds (virtual)',
    virtual_pages_per_second: 'Pages per second (virtual)',
    bytes: 'Megabytes received',
    hosts: 'Hosts',
    failed: 'Failed URLs',
    queued: 'URLs waiting',
    hot: 'Pages on topic',
    harvest: 'Harvest rate',
    recall: 'Recall',
    nauc20: 'nAUC20',
    jain: "Fairness (Jain's index)",
    pagerank_gathered: 'PageRank gathered',
    p_cs: 'P_CS',
    p_st: 'P_ST',
    p_bc: 'P_BC',
    cpu_cores: 'CPU',
    cpu_ms_per_page: 'CPU per page',
    memory_peak: 'Memory, peak',
    memory_mean: 'Memory, mean',
    memory: 'Memory',
    cpu: 'CPU',
    memory_per_worker: 'Memory per worker',
    cpu_per_worker: 'CPU per worker',
    stage_ms: 'Time per page',
  },
  id: {
    pages: 'Halaman',
    reachable: 'Halaman terjangkau',
    seconds: 'Detik',
    pages_per_second: 'Halaman per detik',
    virtual_seconds: 'Detik (virtual)',
    virtual_pages_per_second: 'Halaman per detik (virtual)',
    bytes: 'Megabita diterima',
    hosts: 'Host',
    failed: 'URL gagal',
    queued: 'URL menunggu',
    hot: 'Halaman sesuai topik',
    harvest: 'Laju panen',
    recall: 'Recall',
    nauc20: 'nAUC20',
    jain: 'Keadilan (indeks Jain)',
    pagerank_gathered: 'PageRank terkumpul',
    p_cs: 'P_CS',
    p_st: 'P_ST',
    p_bc: 'P_BC',
    cpu_cores: 'CPU',
    cpu_ms_per_page: 'CPU per halaman',
    memory_peak: 'Memori, puncak',
    memory_mean: 'Memori, rata-rata',
    memory: 'Memori',
    cpu: 'CPU',
    memory_per_worker: 'Memori per pekerja',
    cpu_per_worker: 'CPU per pekerja',
    stage_ms: 'Waktu per halaman',
  },
}

const PARTS: Readonly<Record<Language, Words>> = {
  en: {
    pagerank: 'PageRank',
    backlinks: 'backlinks',
    similarity: 'similarity',
    location: 'location',
    'forward-links': 'forward links',
    topic: "the crawl's own judgement",
    all: 'all processes',
    download: 'download',
    parse: 'parse',
    queue: 'queue',
  },
  id: {
    pagerank: 'PageRank',
    backlinks: 'tautan masuk',
    similarity: 'kemiripan',
    location: 'lokasi',
    'forward-links': 'tautan keluar',
    topic: 'penilaian crawler sendiri',
    all: 'semua proses',
    download: 'unduh',
    parse: 'urai',
    queue: 'antre',
  },
}

export function measureName(measure: string, language: Language): string {
  return MEASURES[language][measure] ?? measure
}

/** `pagerank@1%` → `PageRank, G = 1%`. */
export function partName(of: string, language: Language): string {
  const [metric = '', threshold] = of.split('@')
  const name = PARTS[language][metric] ?? metric
  return threshold === undefined ? name : `${name}, G = ${threshold}`
}

/** What stands above a column: the measure, and below it the rest. */
export function columnName(
  { measure, of, at }: MeasureRef,
  language: Language,
): { readonly head: string; readonly sub: string } {
  const sub = [of === '' ? '' : partName(of, language), atName(measure, at)]
  return {
    head: measureName(measure, language),
    sub: sub.filter((text) => text !== '').join(', '),
  }
}

/** Units that the name of a measure does not tell, for columns of tables; axes have theirs from the curve. */
const UNITS: Readonly<Record<string, string>> = {
  cpu_cores: 'cores',
  cpu_ms_per_page: 'ms',
  cpu_per_worker: 'cores',
  memory_peak: 'MB',
  memory_mean: 'MB',
  memory_per_worker: 'MB',
  stage_ms: 'ms',
}

/** `columnName` with the unit. */
export function columnOfTable(ref: MeasureRef, language: Language): ReturnType<typeof columnName> {
  const { head, sub } = columnName(ref, language)
  const unit = UNITS[ref.measure]
  return { head: unit === undefined ? head : `${head} (${unit})`, sub }
}

/** P_ST has a threshold and a stop, P_BC the size of its buffer. */
function atName(measure: string, at: string): string {
  if (at === '') return ''
  const [threshold, stop] = at.split('/')
  if (measure === 'p_bc') return `B = ${at}`
  if (measure === 'p_st' && stop !== undefined) return `G = ${threshold}, K = ${stop}`
  return measure === 'p_cs' ? `K = ${at}` : at
}

/** A factor as the head of a column. */
export function factorName(name: string, language: Language): string {
  return FACTORS[language][name] ?? name
}

const FACTORS: Readonly<Record<Language, Words>> = {
  en: {
    ordering: 'Ordering',
    hostPolicy: 'Host policy',
    topic: 'Topic',
    connections: 'Connections',
    concurrency: 'Connections',
    workers: 'Workers',
    parserThreads: 'Workers',
    scouters: 'Scouters',
    delay: 'Delay (ms)',
    bandwidth: 'Bandwidth (kB/s)',
    latency: 'Latency (ms)',
    crawler: 'Crawler',
  },
  id: {
    ordering: 'Urutan',
    hostPolicy: 'Kebijakan host',
    topic: 'Topik',
    connections: 'Koneksi',
    concurrency: 'Koneksi',
    workers: 'Pekerja',
    parserThreads: 'Pekerja',
    scouters: 'Scouter',
    delay: 'Jeda (ms)',
    bandwidth: 'Lebar pita (kB/s)',
    latency: 'Latensi (ms)',
    crawler: 'Crawler',
  },
}

/** Digits after the point that a mean is shown with. */
export function digitsOf({ measure }: Pick<MeasureRef, 'measure'>): number {
  if (measure === 'jain' || measure.startsWith('cpu_cores') || measure === 'cpu_per_worker')
    return 2
  return ['pages', 'reachable', 'hosts', 'failed', 'queued', 'hot'].includes(measure) ? 0 : 1
}
