import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds the dashboard and the pages that are saved where their sources changed. */
export function buildDashboard(): void {
  const script = join(import.meta.dirname, '..', '..', 'scripts', 'build-dashboard')
  execFileSync('sh', [script], { stdio: 'inherit' })
}
