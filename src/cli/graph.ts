// `jelajah graph`: the page map or the site map of a crawl, as a picture or a file.

import { InvalidInput } from '../core/errors.ts'
import { showCount, showNumber } from '../lib/format.ts'
import { safeText } from '../lib/terminal.ts'
import { MAP_FORMATS } from '../map/index.ts'
import type { MapSource } from '../map/map-format.ts'
import { readGraph } from '../reads/crawl-graph.ts'
import { refuseUnknownHost } from '../reads/known-host.ts'
import { mapSource } from '../reads/map-source.ts'
import { WorkspaceFiles } from '../reads/workspace-files.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import { workspaceOf } from '../workspace/open-workspace.ts'
import { refuseExisting, writeAtomically, writeOut } from './atomic-write.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import type { GraphOptions } from './graph-command.ts'
import type { Output } from './output.ts'

/** What a picture shows when nothing is said; more is a cloud. */
const PICTURE_TOP = 500
/** Laid out within some ten seconds, and drawn fluently by a browser. */
const MAX_PICTURE = 10_000
/** Looked through for those that are worth a line. */
const PICTURE_EDGES = 400_000

export async function runGraph(
  options: GraphOptions,
  out: Output,
  { isTerminal = false }: { readonly isTerminal?: boolean } = {},
): Promise<ExitCode> {
  const format = MAP_FORMATS[options.format]
  const top = topFor(options, format.isPicture)
  if (options.out !== null) refuseExisting(options.out, options)
  else if (isTerminal && format.isPicture) {
    throw new InvalidInput(
      '--out',
      `say where it goes: --out map.${format.name}, or > map.${format.name}`,
    )
  }
  await using workspace = workspaceOf(options)
  const job = await chooseCrawl(workspace, options.crawl)
  if (options.host !== null) await refuseUnknownHost(workspace, options.host, [job.id])
  await using files = new WorkspaceFiles(workspace)
  const here = await files.crawl(job.id)
  if (here === null) throw new InvalidInput('--crawl', `crawl ${job.id} is gone`)
  const graph = await readGraph(files, here)
  const maxEdges = format.isPicture ? PICTURE_EDGES : Number.POSITIVE_INFINITY
  const map = await mapSource(here, graph, { ...options, top, maxEdges })
  const pieces = format.write(map)
  if (options.out === null) await writeOut(out.write, pieces)
  else await writeAtomically(options.out, pieces)
  if (!options.quiet) out.warn(`${safeText(summary(options, map, top))}\n`)
  return EXIT.done
}

function topFor({ top, format }: GraphOptions, isPicture: boolean): number {
  if (!isPicture) return top ?? Number.POSITIVE_INFINITY
  if (top === null || top <= MAX_PICTURE) return top ?? PICTURE_TOP
  throw new InvalidInput(
    '--top',
    `${format} shows at most ${showCount(MAX_PICTURE)}; gexf, graphml, dot and json take any number`,
  )
}

function summary({ out, kind, top }: GraphOptions, map: MapSource, shown: number): string {
  const { totalNodes, totalEdges } = map
  const what = `${showCount(Math.min(shown, totalNodes))} of ${showCount(totalNodes)} ${kind}`
  const one = kind === 'pages' ? 'page' : 'site'
  const all = `${showNumber(totalNodes, one)}, ${showNumber(totalEdges, 'link')} between them`
  const isAll = shown >= totalNodes
  const more = isAll || top !== null ? '' : '; --top N shows more'
  return `${out === null ? '' : `written: ${out}: `}${isAll ? all : `the best ${what}`}${more}`
}
