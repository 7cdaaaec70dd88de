// All benchmarks, one after the other, as Markdown on stdout that can go into the README as it is;
// progress goes to stderr. Prints numbers, asserts nothing, leaves nothing running. Each part is a
// program that can be run alone.
//
//   npm run bench [-- --quick] [-- --only NAME]
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentationRoot } from './crawl/webs.ts'
import { machine } from './machine.ts'
import { tableFromLines } from './table.ts'

type Part = {
  readonly name: string
  readonly title: string
  readonly file: string
  args(quick: boolean): readonly string[]
  /** It prints neither Markdown nor JSON: shown as it is. */
  readonly plain?: true
  /** It is stopped after this time: far more than it needs on two slow cores. */
  readonly limitMinutes: number
}

const PARTS: readonly Part[] = [
  {
    name: 'crawl',
    title: 'A crawl from start to end, beside Crawlee',
    file: 'crawl/crawl.ts',
    args: (quick) => (quick ? ['--quick'] : []),
    limitMinutes: 40,
  },
  {
    name: 'stages',
    title: 'Where the time goes, per page',
    file: 'stages.ts',
    args: (quick) => (quick ? ['--quick'] : []),
    limitMinutes: 5,
  },
  {
    name: 'frontier',
    title: 'The frontier, by number of URLs',
    file: 'frontier.ts',
    args: (quick) => [quick ? '100000' : '--full'],
    limitMinutes: 20,
  },
  {
    name: 'html-scanner',
    title: 'Reading HTML',
    file: 'html-scanner.ts',
    args: (quick) => [documentationRoot(), quick ? '60' : '300'],
    plain: true,
    limitMinutes: 5,
  },
]

/** How long a part may take to clean up after it was asked to stop. */
const GRACE_MS = 10_000

async function runPart(part: Part, quick: boolean): Promise<string> {
  const file = join(import.meta.dirname, part.file)
  if (!existsSync(file)) return 'Skipped: this part is not there.'
  process.stderr.write(`\n${part.title} …\n`)
  const args = [file, ...part.args(quick)]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_MACHINE_SHOWN: '1' },
  })
  const stop = () => child.kill('SIGTERM')
  process.once('exit', stop)
  const timers = [
    setTimeout(stop, part.limitMinutes * 60_000),
    setTimeout(() => child.kill('SIGKILL'), part.limitMinutes * 60_000 + GRACE_MS),
  ]
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  for (const timer of timers) clearTimeout(timer)
  process.removeListener('exit', stop)
  const note = code === 0 ? '' : `\n\nThis part did not end well (${code ?? 'stopped'}).`
  const text = output.trim()
  return (part.plain ? `\`\`\`\n${text}\n\`\`\`` : tableFromLines(text)) + note
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' } },
})
process.stdout.write(`Machine: ${machine()}\n`)
for (const part of PARTS) {
  if (values.only !== undefined && values.only !== part.name) continue
  process.stdout.write(`\n## ${part.title}\n\n${await runPart(part, values.quick)}\n`)
}
