import type { ViewProps } from './loaded.ts'

export function SearchView({ jobId }: ViewProps) {
  return <p>{jobId}</p>
}
