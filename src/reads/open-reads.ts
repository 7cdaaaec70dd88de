// The reads of a workspace, answered in threads of their own: however large a crawl is, the server goes on
// answering.
import type { WorkspaceUrl } from '../core/workspace-url.ts'
import { ReadingThread } from './reading-thread.ts'
import { readsBy, THREADS, threadFor, type WorkspaceReads } from './reads.ts'

export async function openReads(workspace: WorkspaceUrl): Promise<WorkspaceReads> {
  const open = (name: string): ReadingThread => new ReadingThread({ workspace, name })
  const threads = {
    short: open(THREADS.short),
    long: open(THREADS.long),
    maps: open(THREADS.maps),
    search: open(THREADS.search),
  }
  const close = async (): Promise<void> => {
    await Promise.all(Object.values(threads).map((thread) => thread[Symbol.asyncDispose]()))
  }
  return readsBy((name, args) => threads[threadFor(name, args)].call(name, args), close)
}
