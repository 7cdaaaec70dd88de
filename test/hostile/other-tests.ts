// Some cases are shown by tests that the suite has anyway: those of single parts, or in a browser.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { ROOT } from '../e2e/crawling.ts'

/** Runs these test files, or those of their tests that match; says how many passed. */
export async function passes(files: readonly string[], pattern?: string): Promise<string> {
  const only = pattern === undefined ? [] : ['--test-name-pattern', pattern]
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-reporter=tap',
    ...only,
    ...files,
  ]
  // A test run that starts another one must not be taken for its parent.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  const passed = Number(/^# pass (\d+)/m.exec(text)?.[1] ?? 0)
  const skipped = Number(/^# skipped (\d+)/m.exec(text)?.[1] ?? 0)
  const failing = text.split('\n').filter((line) => /^\s*not ok/.test(line))
  assert.equal(code, 0, failing.slice(0, 3).join('; ') || text.slice(-300))
  assert.ok(passed > 0, `no test of ${files.join(', ')} matched`)
  return `${passed} tests of ${files.map((file) => file.split('/').at(-1)).join(', ')} pass${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
