// The end of the demo on a terminal: the dashboard on the crawl that has just finished, while the sample
// web stays up for further crawls.
import { availableParallelism, totalmem } from 'node:os'
import { safeText } from '../../lib/terminal.ts'
import { DEFAULT_CEILINGS } from '../../options/job-ceilings.ts'
import type { Output } from '../output.ts'
import { CannotListen } from '../serve/listen.ts'
import { type OpenServer, openServer } from '../serve/serve.ts'
import { DEFAULT_PORT, type ServeOptions } from '../serve/serve-command.ts'
import { StopSignals } from '../stop-signals.ts'

/** Serves until Ctrl-C. */
export async function serveDemo(
  dataDir: string,
  seeds: readonly string[],
  out: Output,
): Promise<void> {
  const say = (text: string): void => out.warn(`${text}\n`)
  const log = (text: string): void => say(safeText(`jelajah: ${text}`))
  using signals = new StopSignals(() => say('leaving at once'))
  const server = await openSomewhere(dataDir, log)
  say(`
The dashboard shows it, with its pages and maps: ${server.url}
The small web stays up meanwhile. To crawl it again from there, start with any of these:
${seeds.map((seed) => `  ${seed}`).join('\n')}
Ctrl-C ends the demo.`)
  await signals.first
  say('\nstopping')
  await server.close()
}

/** On the usual port, or on any that is free. */
async function openSomewhere(dataDir: string, log: (text: string) => void): Promise<OpenServer> {
  const options = { ...optionsFor(dataDir), log }
  try {
    return await openServer(options)
  } catch (error) {
    if (!(error instanceof CannotListen) || !error.inUse) throw error
    return openServer({ ...options, port: 0 })
  }
}

function optionsFor(dataDir: string): ServeOptions {
  return {
    port: DEFAULT_PORT,
    host: '127.0.0.1',
    token: null,
    allowedHosts: [],
    // The sample web is on this machine.
    allowPrivate: true,
    connectTo: [],
    dns: [],
    proxies: [],
    jobs: Math.max(2, availableParallelism()),
    connections: 128,
    memoryBytes: Math.floor(totalmem() / 2),
    delayMs: null,
    contact: null,
    ceilings: DEFAULT_CEILINGS,
    dataDir,
    json: false,
    quiet: true,
    verbose: false,
  }
}
