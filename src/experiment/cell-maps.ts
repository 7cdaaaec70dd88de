// Page map and site map of a crawl, as pages to look at and as pictures.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolder } from '../lib/folder.ts'
import { MAP_FORMATS } from '../map/index.ts'
import { MAP_KINDS } from '../map/map-format.ts'
import { readGraph } from '../reads/crawl-graph.ts'
import { mapSource } from '../reads/map-source.ts'
import { WorkspaceFiles } from '../reads/workspace-files.ts'
import { chooseCrawl } from '../workspace/find-crawl.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Cell } from './experiment.ts'

/** More nodes are a cloud. */
const TOP = 300
const MAX_EDGES = 400_000
const FORMATS = ['html', 'svg'] as const

/** Names of the files, relative to the folder of the experiment. */
export async function drawMaps(
  workspace: Workspace,
  { folder, cell }: { readonly folder: string; readonly cell: Cell },
): Promise<string[]> {
  createFolder(join(folder, 'maps'))
  const job = await chooseCrawl(workspace, null)
  await using files = new WorkspaceFiles(workspace)
  const here = await files.crawl(job.id)
  if (here === null) return []
  const graph = await readGraph(files, here)
  const written: string[] = []
  for (const kind of MAP_KINDS) {
    const wish = { kind, host: null, top: TOP, maxEdges: MAX_EDGES, beyond: 0 }
    const map = await mapSource(here, graph, wish)
    for (const format of FORMATS) {
      const name = `maps/${nameOf(cell)}-${kind}.${format}`
      const pieces = await Array.fromAsync(MAP_FORMATS[format].write(map))
      writeFileSync(join(folder, name), pieces.join(''))
      written.push(name)
    }
  }
  return written
}

function nameOf({ labels, number }: Cell): string {
  const text = Object.values(labels).join('-').toLowerCase()
  const plain = text.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')
  return `${number}-${plain.slice(0, 60)}`
}
