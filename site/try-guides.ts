// Runs the commands of docs/guides/, docs/course/ and of the start pages as they stand there, each guide in an empty folder, and compares what they
// print with what the guide says: sh scripts/node site/try-guides.ts [--write] [GUIDE…]
// With --write the guide gets what was printed.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { missingLines, type Step, shownAs, stepsOf } from './guide.ts'
import { ROOT } from './stage.ts'

const LONGEST_MS = 180_000
/** Ports that guides name; another program may have them, so free ones are used in their place. */
const PORTS = ['8099', '8098']
const isWriting = process.argv.includes('--write')
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const guides =
  named.length > 0
    ? named
    : globSync('docs/{guides/*,course/**/*,index,id/index}.md', { cwd: ROOT })

let failures = 0
for (const guide of guides.sort()) await tryGuide(guide)
process.stderr.write(failures === 0 ? 'All guides are as they say.\n' : `${failures} differences\n`)
process.exitCode = failures === 0 ? 0 : 1

async function tryGuide(guide: string): Promise<void> {
  const path = join(ROOT, guide)
  const text = readFileSync(path, 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-guide-'))
  const around = { ...environment(folder), ports: await freePorts() }
  const background = new AsyncDisposableStack()
  const printed: { readonly step: Step; readonly output: string }[] = []
  try {
    for (const step of stepsOf(text)) {
      if (step.kind === 'example') continue
      process.stderr.write(`${guide}: ${step.script.trim().split('\n')[0]}\n`)
      if (step.kind === 'background') background.use(await startProgram(step.script, around))
      else printed.push({ step, output: runScript(step.script, around) })
    }
  } catch (error) {
    failures += 1
    process.stderr.write(`${guide}: ${error instanceof Error ? error.message : error}\n`)
  } finally {
    await background.disposeAsync()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const { step, output } of printed) tellMissing(guide, step, output)
  if (isWriting) writeFileSync(path, withOutputs(text, printed))
}

/** In an empty folder, with the program of this checkout as `jelajah`. */
function environment(folder: string): { cwd: string; env: NodeJS.ProcessEnv } {
  const bin = join(folder, '.bin')
  mkdirSync(bin)
  const program = `#!/bin/sh\nexec ${join(ROOT, 'bin', 'jelajah')} "$@"\n`
  writeFileSync(join(bin, 'jelajah'), program, { mode: 0o755 })
  const { PATH, HOME } = process.env
  const own = { JELAJAH_CONTACT: 'you@example.com', TMPDIR: tmpdir(), CHECKOUT: ROOT }
  return { cwd: folder, env: { PATH: `${bin}:${PATH}`, HOME, ...own } }
}

type Around = ReturnType<typeof environment> & { readonly ports: readonly string[] }

function runScript(script: string, { cwd, env, ports }: Around): string {
  const options = { cwd, env, encoding: 'utf8', timeout: LONGEST_MS } as const
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const printed = execFileSync('sh', ['-ec', swapped(script, PORTS, ports)], { ...options, stdio })
  // A reader has another folder, and need not have a checkout.
  return swapped(printed, ports, PORTS)
    .replaceAll(cwd, '/home/you')
    .replaceAll(/^( +)bin\/jelajah/gm, '$1jelajah')
}

/** Up when it has printed its first line. */
async function startProgram(script: string, { cwd, env, ports }: Around): Promise<AsyncDisposable> {
  const line = swapped(script, PORTS, ports).trim().replaceAll(/\\\n/g, ' ')
  const program = spawn('sh', ['-c', `exec ${line}`], {
    // Guides start the sample web from a checkout.
    ...{ cwd: line.startsWith('sh scripts/') ? ROOT : cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(program, 'exit')
  const { stdout, stderr } = program
  const [first] = await Promise.race([once(stdout, 'data'), once(stderr, 'data'), ended])
  stdout.resume()
  stderr.resume()
  // A program that cannot start says so first.
  await Promise.race([ended, setTimeout(500)])
  if (program.exitCode !== null) throw new Error(`it ended at once: ${line}\n${first}`)
  return {
    async [Symbol.asyncDispose]() {
      program.kill('SIGTERM')
      await ended
    },
  }
}

async function freePorts(): Promise<readonly string[]> {
  const servers = PORTS.map(() => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return typeof address === 'object' ? String(address?.port) : ''
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

function swapped(text: string, from: readonly string[], to: readonly string[]): string {
  return from.reduce((said, port, at) => said.replaceAll(port, to[at] ?? ''), text)
}

function tellMissing(guide: string, { script, shown }: Step, output: string): void {
  if (shown === null) return
  const missing = missingLines(shown, output)
  if (missing.length === 0) return
  failures += 1
  process.stderr.write(
    `${guide}: ${script.trim()}\n  prints\n${output}\n  not\n${missing.join('\n')}\n`,
  )
}

function withOutputs(
  text: string,
  printed: readonly { readonly step: Step; readonly output: string }[],
): string {
  let written = text
  for (const { step, output } of printed.toReversed()) {
    const { shown } = step
    if (shown === null) continue
    written = written.slice(0, shown.from) + shownAs(shown, output) + written.slice(shown.to)
  }
  return written
}
