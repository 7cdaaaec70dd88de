import type { ViewProps } from './loaded.ts'

export function PageMapView({ jobId }: ViewProps) {
  return <p>{jobId}</p>
}
