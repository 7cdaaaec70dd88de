// `npm run docs`: builds the documentation site; with --serve shows it on this machine, with its search.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildSite, DIST } from './build.ts'
import { serveSite } from './serve.ts'

const USAGE = `The documentation site, made from docs/ and from the program itself.

  npm run docs                            builds it: site/dist
  npm run docs -- --serve                 builds it, crawls it with jelajah, and serves site and search until Ctrl-C
  npm run docs -- --serve --port 8090     at this port of 127.0.0.1; any free one unless given
  npm run docs -- --serve --built         without building it again
  npm run docs -- --check                 builds it, which fails on a dead link, then runs the commands of the guides
  DOCS_BASE=/docs/ npm run docs           for a site that is not at the root of its host
`

const { serve, port, built, check, help } = readFlags()
if (help) {
  process.stdout.write(USAGE)
  process.exit(0)
}
try {
  if (!built) await buildSite()
  if (check) process.exitCode = tryGuides()
  else if (serve) await serveSite(Number(port))
  else process.stderr.write(`The site is in ${DIST}\n`)
} catch (error) {
  // What failed has said why.
  process.stderr.write(`npm run docs: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function tryGuides(): number {
  const flags = ['--disable-warning=ExperimentalWarning']
  const script = join(import.meta.dirname, 'try-guides.ts')
  return spawnSync(process.execPath, [...flags, script], { stdio: 'inherit' }).status ?? 1
}

function readFlags() {
  try {
    const { values } = parseArgs({
      options: {
        serve: { type: 'boolean', default: false },
        port: { type: 'string', default: '0' },
        built: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false, short: 'h' },
      },
    })
    const isPort = /^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536
    if (!isPort) throw new Error(`--port needs a number from 0 to 65535, not ${values.port}`)
    return values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    process.exit(2)
  }
}
