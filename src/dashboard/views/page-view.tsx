import type { ViewProps } from './loaded.ts'

export function PageView({ jobId }: ViewProps) {
  return <p>{jobId}</p>
}
