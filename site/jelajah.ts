// The program of this checkout as a process: a server, or a command that ends by itself.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ROOT } from './stage.ts'

const PROGRAM = join(ROOT, 'bin', 'jelajah')

export type RunningServer = AsyncDisposable & { readonly url: string }

/** `serve` with these flags, which must include --json. */
export async function openJelajah(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const server = spawn(PROGRAM, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const ended = once(server, 'exit')
  const first = await Promise.race([once(createInterface(server.stdout), 'line'), ended])
  if (server.exitCode !== null) throw new Error(`jelajah ${args[0]} ended with ${server.exitCode}`)
  const { url } = JSON.parse(String(first[0]))
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await ended
    },
  }
}

/** Waits until the command has ended; its output goes to stderr. */
export async function runJelajah(args: readonly string[]): Promise<void> {
  const command = spawn(PROGRAM, args, { stdio: ['ignore', 2, 'inherit'] })
  const [code] = await once(command, 'exit')
  if (code !== 0) throw new Error(`jelajah ${args[0]} ended with ${code}`)
}
