import type { ViewProps } from './loaded.ts'

export function SiteMapView({ jobId }: ViewProps) {
  return <p>{jobId}</p>
}
