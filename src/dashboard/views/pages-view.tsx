import type { ViewProps } from './loaded.ts'

export function PagesView({ jobId }: ViewProps) {
  return <p>{jobId}</p>
}
