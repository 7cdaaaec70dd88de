// What every server of jobs begins with, whether it is asked over HTTP or over a pipe.
import { availableParallelism } from 'node:os'
import type { ServeSettings } from '../../api/api-deps.ts'
import { CrawlerError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import type { WorkspaceChoice } from '../../core/workspace-url.ts'
import { checkTopic } from '../../crawl/topic-source.ts'
import type { Problems } from '../../options/bad-options.ts'
import type { TopicRequest } from '../../options/topic-request.ts'
import type { Workspace, WorkspaceLock } from '../../workspace/workspace.ts'

export type ServeOptions = WorkspaceChoice &
  Pick<ServeSettings, 'host' | 'port' | 'token' | 'allowedHosts' | 'ceilings'> &
  Pick<ServeSettings, 'allowPrivate' | 'connectTo' | 'dns' | 'proxies' | 'plugins'> &
  Pick<ServeSettings, 'trustedProxies' | 'publicSearch' | 'synonyms'> &
  Pick<ServeSettings['defaults'], 'delayMs' | 'contact'> & {
    /** Jobs that run at once; their connections and their memory together. */
    readonly jobs: number
    readonly connections: number
    readonly memoryBytes: number
    readonly json: boolean
    readonly quiet: boolean
    readonly verbose: boolean
  }

/** Characters of examples that are checked: tenths of a second at worst; a whole body took twenty seconds. */
const CHECKED_CHARACTERS = 20_000

/** Throws where another server runs. */
export async function lockServer(workspace: Workspace): Promise<WorkspaceLock> {
  await workspace.make()
  const lock = await workspace.lock('server')
  if (lock !== null) return lock
  const holder = await workspace.holderOf('server')
  const who = holder === null ? '' : ` (${holder})`
  const message = `another server runs in ${workspace.shown}${who}. Stop it, or choose another --data.`
  throw new CrawlerError('store-busy', message)
}

export function settingsOf(options: ServeOptions): ServeSettings {
  const { host, port, token, allowedHosts, allowPrivate, connectTo, dns, proxies } = options
  const { plugins } = options
  return {
    ...{ host, port, token, allowedHosts, allowPrivate, connectTo, dns, proxies, plugins },
    trustedProxies: options.trustedProxies,
    publicSearch: options.publicSearch,
    synonyms: options.synonyms,
    defaults: { delayMs: options.delayMs, contact: options.contact, userAgent: null },
    ceilings: options.ceilings,
    cores: availableParallelism(),
    version: VERSION,
    maxStreams: null,
    jobsPerMinute: null,
  }
}

/** Nobody else is served meanwhile: what takes longer is found when the job runs, and told there. */
export function checkBriefly(request: TopicRequest, problems: Problems): void {
  checkTopic(request, problems, CHECKED_CHARACTERS)
}
