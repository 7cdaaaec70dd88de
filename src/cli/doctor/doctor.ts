// `jelajah doctor`: is everything there that a crawl needs, and what to do where it is not.

import { safeText } from '../../lib/terminal.ts'
import { workspaceOf } from '../../workspace/open-workspace.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { DoctorOptions } from '../reader-commands.ts'
import { checksFor } from './checks.ts'
import { rebuildFrontiers } from './rebuild-frontiers.ts'
import type { Check, Finding } from './verdict.ts'

const MARK = { ok: 'ok  ', warn: 'warn', fail: 'FAIL', skip: 'skip' } as const

export async function runDoctor(options: DoctorOptions, out: Output): Promise<ExitCode> {
  const findings: Finding[] = []
  await using workspace = workspaceOf(options)
  if (options.rebuildFrontier) return await rebuildFrontiers(workspace, options, out)
  for (const check of checksFor(workspace, options.contact)) {
    const finding = skipped(check, findings) ?? (await examine(check))
    findings.push(finding)
    if (!options.json) await out.write(findingText(finding))
  }
  const healthy = findings.every(({ result }) => result !== 'fail')
  if (options.json) await out.write(`${JSON.stringify({ healthy, checks: findings })}\n`)
  return healthy ? EXIT.done : EXIT.error
}

function skipped({ name, needs }: Check, before: readonly Finding[]): Finding | null {
  const failed = before.find(({ check, result }) => result === 'fail' && needs?.includes(check))
  if (failed === undefined) return null
  return { check: name, result: 'skip', detail: `not looked at: see ${failed.check}`, advice: '' }
}

async function examine({ name, run }: Check): Promise<Finding> {
  try {
    return { check: name, ...(await run()) }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { check: name, result: 'fail', detail, advice: '' }
  }
}

function findingText({ check, result, detail, advice }: Finding): string {
  const line = `${MARK[result]}  ${check.padEnd(12)}${safeText(detail)}\n`
  return advice === '' ? line : `${line}                  ${advice}\n`
}
