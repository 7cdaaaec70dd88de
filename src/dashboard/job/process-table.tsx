// Memory and CPU of the processes of a running job.
import { formatBytes, formatShare } from '../format.ts'
import { t } from '../i18n/i18n.ts'
import type { LiveJob } from '../state/live-job.ts'

const ROLES = ['scouter', 'parser', 'server'] as const

export function ProcessTable({ live }: { readonly live: LiveJob }) {
  const processes = live.progress.value?.processes ?? []
  if (processes.length === 0) return null
  return (
    <section class="card flush" aria-labelledby="processes-title">
      <div class="card-head">
        <h2 id="processes-title">{t('processes.title')}</h2>
      </div>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t('processes.role')}</th>
            <th scope="col" class="number">
              {t('processes.memory')}
            </th>
            <th scope="col" class="number">
              {t('processes.cpu')}
            </th>
          </tr>
        </thead>
        <tbody>
          {processes.map(({ role, pid, rss_bytes, cpu }) => (
            <tr key={role}>
              <td>
                {roleName(role)}{' '}
                <span class="small muted">{t('processes.pid', { pid: String(pid) })}</span>
              </td>
              <td class="number">{formatBytes(rss_bytes)}</td>
              <td class="number">{formatShare(cpu)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function roleName(role: string): string {
  const known = ROLES.find((name) => name === role)
  return known === undefined ? role : t(`role.${known}`)
}
