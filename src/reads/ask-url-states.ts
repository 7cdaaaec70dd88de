// A question to a frontier by those who want an answer soon. One on a server that is away would let them
// wait until it is back: they get what its copy in the store knows.
import { CrawlerError } from '../core/errors.ts'
import type { JobRecord } from '../core/job.ts'
import type { UrlStates } from '../frontier/url-states.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** Longer than a healthy server under load takes. */
const SOON_MS = 700
/** Whoever asks for many frontiers waits for one of them. */
const AGAIN_MS = 3000
const LATE = Symbol('no answer soon')

type Ask<T> = (urlStates: UrlStates | null) => Promise<T>

/** Asked without a ledger where the frontier is damaged, or of another version. */
export async function askUrlStates<T>(
  files: WorkspaceFiles,
  job: JobRecord,
  ask: Ask<T>,
): Promise<T> {
  try {
    const { workspace } = files
    if (workspace.folder !== null) return await askOf(files.ledger(job), ask)
    if (performance.now() >= files.askFrontiersAt) {
      const answer = await soon(askOf(files.ledger(job), ask))
      if (answer !== LATE) return answer
      files.askFrontiersAt = performance.now() + AGAIN_MS
    }
    return await askOf(workspace.copiedLedger(job), ask)
  } catch (error) {
    if (error instanceof CrawlerError) return ask(null)
    throw error
  }
}

async function askOf<T>(opening: Promise<UrlStates | null>, ask: Ask<T>): Promise<T> {
  await using urlStates = await opening
  return await ask(urlStates)
}

async function soon<T>(answer: Promise<T>): Promise<T | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>()
  const timer = setTimeout(() => late.resolve(LATE), SOON_MS)
  const told = answer.catch((error: unknown): typeof LATE => {
    if (error instanceof CrawlerError && error.code === 'store-unreachable') return LATE
    throw error
  })
  // Whichever comes second is of no interest any more.
  told.catch(() => {})
  return Promise.race([told, late.promise]).finally(() => clearTimeout(timer))
}
