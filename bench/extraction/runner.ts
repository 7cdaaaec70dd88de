// One extractor in a process of its own: its garbage and its compiled code are nobody else's, and a
// page on which it does not come back can be stopped.
//
//   node runner.ts MODULE   with a channel to the parent: READY out, then a Task in, an Answer out
import { readFileSync } from 'node:fs'
import type { Extracted } from './extract.ts'

export const READY = 'ready'
export type Task = { readonly file: string; readonly url: string | null }
export type Answer =
  | { readonly ok: true; readonly extracted: Extracted; readonly cpuMs: number }
  | { readonly ok: false; readonly reason: string }

/** What a module of an extractor exports. */
export type ExtractorModule = {
  extract(html: string, about: { readonly url: string | null }): Extracted
}

if (process.send !== undefined) {
  const { extract }: ExtractorModule = await import(process.argv[2] ?? '')
  // Some extractors talk; what they say is not part of the answer.
  for (const name of ['log', 'info', 'warn', 'error'] as const) console[name] = () => {}
  process.on('message', (task: Task) => process.send?.(answer(extract, task)))
  process.on('disconnect', () => process.exit(0))
  process.send(READY)
}

function answer(extract: ExtractorModule['extract'], { file, url }: Task): Answer {
  const html = readFileSync(file, 'utf8')
  const before = process.cpuUsage()
  try {
    const extracted = extract(html, { url })
    const { user, system } = process.cpuUsage(before)
    return { ok: true, extracted, cpuMs: (user + system) / 1000 }
  } catch (error) {
    return { ok: false, reason: String(error) }
  }
}
