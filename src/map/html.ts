// A map as one HTML file that stands alone: it opens from anywhere, also without a network, is laid out
// already, and can be searched and walked through. A content policy allows its own style and script, known
// by their hashes, and nothing else; what the web said is in it as JSON and becomes text, never markup.
import { createHash } from 'node:crypto'
import { safeText } from '../lib/terminal.ts'
import { type DrawnMap, drawMap } from './drawn-map.ts'
import { hostColours, MAP_COLOURS, pagesPerHost, tellingColouring } from './map-colours.ts'
import type { MapFormat, MapSource } from './map-format.ts'
import type { MapNode } from './map-graph.ts'
import { VIEWER_STYLE } from './viewer-style.ts'
import { shownXml } from './xml-text.ts'

/** In this order; see `viewer/viewer-map.ts`. */
const VIEWER_FILES = ['words', 'camera', 'picture', 'panel', 'gestures', 'viewer'] as const
/** Characters of a title that anybody reads. */
const LABEL = 200

export const html: MapFormat = {
  name: 'html',
  about: 'one page that stands alone: search it, zoom, follow links',
  isPicture: true,
  async *write(source) {
    const map = await drawMap(source)
    const script = await viewerScript()
    yield head(source, script)
    yield `<script type="application/json" id="map">${inScript(viewerMap(source, map))}</script>\n`
    yield `<script>${script}</script>\n</body>\n</html>\n`
  },
}

/** The text of everything the viewer's files export, as Node runs it: without types. */
async function viewerScript(): Promise<string> {
  const pieces: string[] = ["'use strict'"]
  for (const name of VIEWER_FILES) {
    const exported: Readonly<Record<string, unknown>> = await import(`./viewer/${name}.ts`)
    for (const [key, value] of Object.entries(exported)) {
      const isCode = typeof value === 'function'
      pieces.push(isCode ? String(value) : `const ${key} = ${JSON.stringify(value)}`)
    }
  }
  // Types leave spaces behind.
  return `${pieces
    .join('\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')}\nstartViewer()\n`
}

function head({ title, subject }: MapSource, script: string): string {
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(VIEWER_STYLE)}'`,
    `script-src '${hashOf(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Jelajah">
<title>${shownXml(title)}</title>
<style>${VIEWER_STYLE}</style>
</head>
<body>
<header>
<h1 title="${shownXml(subject.name)}"><bdi id="heading">${shownXml(title)}</bdi></h1>
<span class="soft" id="counts"></span>
<div role="search" class="tools">
<label><span class="spoken" id="search-label"></span><input id="search" type="search" autocomplete="off" spellcheck="false"></label>
<label id="colouring"><span id="colouring-label"></span> <select id="colour-by"></select></label>
</div>
</header>
<main>
<canvas id="canvas" tabindex="0" role="application"></canvas>
<div class="zoom"><button type="button" id="zoom-in">+</button><button type="button" id="zoom-out">−</button><button type="button" id="fit">⤢</button></div>
<div class="foot"><ul id="legend"></ul><p class="soft" id="keys"></p></div>
<p class="spoken" id="spoken" aria-live="polite"></p>
</main>
<aside id="panel"></aside>
`
}

/** What `ViewerMap` in `viewer/viewer-map.ts` says. */
function viewerMap(source: MapSource, map: DrawnMap): Readonly<Record<string, unknown>> {
  const { graph, edges, told, positions, sizes, width, height } = map
  return {
    ...{ kind: source.kind, subject: source.subject, told, width, height },
    totalNodes: source.totalNodes,
    totalEdges: source.totalEdges,
    nodes: graph.nodes.map(viewerNode),
    places: Array.from(positions, (value) => Math.round(value * 10)),
    sizes: Array.from(sizes, (value) => Math.round(value * 10)),
    edges: Array.from(edges).flatMap((edge) => [graph.sources[edge], graph.targets[edge]]),
    links: source.kind === 'sites' ? Array.from(edges, (edge) => graph.weights[edge] ?? 1) : [],
    hosts: [...hostColours(pagesPerHost(graph), graph, MAP_COLOURS.light).keys()],
    colouring: tellingColouring(graph),
    isJudged: graph.nodes.some(({ relevance }) => relevance !== null),
    colours: MAP_COLOURS,
  }
}

function viewerNode({ label, url, host, rank, relevance, hot, ...node }: MapNode): unknown {
  const figures = [
    Number(rank.toPrecision(6)),
    relevance,
    Number(hot),
    node.in,
    node.out,
    node.pages,
  ]
  return [safeText(label).trim().slice(0, LABEL).toWellFormed(), url, host, ...figures]
}

/** JSON that cannot end the element it stands in, nor begin a comment there. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
