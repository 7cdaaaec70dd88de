// The text format of Prometheus, written by hand: a few lines need no library.

export type Metric = {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly samples: readonly MetricSample[]
}

export type MetricSample = {
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function prometheusText(metrics: readonly Metric[]): string {
  return metrics.map(metricText).join('')
}

function metricText({ name, type, help, samples }: Metric): string {
  const escaped = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  const lines = samples.map(
    ({ labels, value }) => `${name}${labelsText(labels)} ${numberText(value)}\n`,
  )
  return `# HELP ${name} ${escaped}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelsText(labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapedValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '+Inf' : '-Inf'
}
