// `jelajah demo --web`: the sample web alone, for guides and lessons, until Ctrl-C.
import { StopSignals } from '../lib/stop-signals.ts'
import { safeText } from '../lib/terminal.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { Output } from './output.ts'
import { CannotListen, listening } from './serve/listen.ts'

/** The port of the guides and the course, so that their commands can be copied as they are. */
export const WEB_PORT = 8099
/** The guides do not read the log of requests. */
const KEEP_RECORDS = 1000

type WebOptions = { readonly port: number; readonly json: boolean; readonly quiet: boolean }

/** Serves it until a signal comes, or until `stopped` resolves. */
export async function serveWeb(
  options: WebOptions,
  out: Output,
  stopped?: Promise<unknown>,
): Promise<ExitCode> {
  try {
    await serveUntil(options, out, stopped)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error
    out.warn(`jelajah: ${safeText(error.message)}\n`)
    return EXIT.error
  }
}

async function serveUntil(
  { port, json, quiet }: WebOptions,
  out: Output,
  stopped: Promise<unknown> | undefined,
): Promise<void> {
  const { demoSite } = await import('../sample-web/samples.ts')
  const { startSite } = await import('../sample-web/server.ts')
  using signals = new StopSignals({ stopped })
  const site = demoSite()
  const address = { host: '127.0.0.1', port }
  await using served = await listening(address, () => {
    return startSite(site, { port, keepRecords: KEEP_RECORDS })
  })
  const { seeds } = served
  if (json) {
    const told = { port: served.port, pages: site.pages, hosts: site.hosts.length, seeds }
    await out.write(`${JSON.stringify(told)}\n`)
  } else {
    await out.write(`${seeds.join('\n')}\n`)
    if (!quiet) out.warn(`${hints(site, seeds)}\n`)
  }
  await signals.first
}

function hints(
  { pages, hosts }: { readonly pages: number; readonly hosts: readonly unknown[] },
  [seed]: readonly string[],
): string {
  return (
    `A small web of ${pages} pages on ${hosts.length} hosts runs on this machine; Ctrl-C ends it.\n` +
    'Crawl it from another terminal, from any of these addresses:\n' +
    `  jelajah crawl ${seed} --delay 20\n` +
    'With --scope any, add --allow-private: its other hosts are on this machine, too.'
  )
}
