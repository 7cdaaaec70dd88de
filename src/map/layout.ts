// The layout of a map, step by step. In ForceAtlas2 nodes repel each other and links attract, so that related
// nodes end up together. This code runs in a worker.
import iterate from 'graphology-layout-forceatlas2/iterate.js'

/** Numbers per node and per edge in the arrays of ForceAtlas2. */
const NODE = 10
const EDGE = 3
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8]

export type LayoutStart = {
  /** x and y of each node. */
  readonly positions: Float32Array
  readonly sizes: Float32Array
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array
}

/** Below this, no difference is visible: nodes move less than about a pixel per second. */
const STILL = 0.0008

export class Layout {
  readonly #nodes: Float32Array
  readonly #edges: Float32Array
  readonly #settings: Readonly<Record<string, number | boolean>>
  readonly #before: Float32Array
  #steps = 0
  /** The mean distance that nodes moved in the last step, as a share of the map's size. */
  #movement = Number.POSITIVE_INFINITY

  constructor(start: LayoutStart) {
    this.#nodes = nodeMatrix(start)
    this.#edges = edgeMatrix(start)
    this.#settings = settingsFor(start.sizes.length)
    this.#before = this.positions()
  }

  get steps(): number {
    return this.#steps
  }

  get settled(): boolean {
    // Written so that NaN, from a failed layout, ends it too.
    return !(this.#movement >= STILL) || this.#nodes.length <= NODE
  }

  step(): void {
    iterate(this.#settings, this.#nodes, this.#edges)
    this.#steps++
    this.#measure()
  }

  /** A copy that can be transferred. */
  positions(): Float32Array<ArrayBuffer> {
    const count = this.#nodes.length / NODE
    const positions = new Float32Array(count * 2)
    for (let node = 0; node < count; node++) {
      positions[node * 2] = this.#nodes[node * NODE + X] ?? 0
      positions[node * 2 + 1] = this.#nodes[node * NODE + Y] ?? 0
    }
    return positions
  }

  #measure(): void {
    const before = this.#before
    let moved = 0
    let extent = 0
    for (let node = 0; node * 2 < before.length; node++) {
      const x = this.#nodes[node * NODE + X] ?? 0
      const y = this.#nodes[node * NODE + Y] ?? 0
      moved += Math.hypot(x - (before[node * 2] ?? 0), y - (before[node * 2 + 1] ?? 0))
      extent += Math.hypot(x, y)
      before[node * 2] = x
      before[node * 2 + 1] = y
    }
    this.#movement = extent > 0 ? moved / extent : 0
  }
}

function nodeMatrix({ positions, sizes, sources, targets, weights }: LayoutStart): Float32Array {
  const matrix = new Float32Array(sizes.length * NODE)
  for (let node = 0; node < sizes.length; node++) {
    const at = node * NODE
    matrix[at + X] = positions[node * 2] ?? 0
    matrix[at + Y] = positions[node * 2 + 1] ?? 0
    matrix[at + MASS] = 1
    matrix[at + CONVERGENCE] = 1
    matrix[at + SIZE] = sizes[node] ?? 1
  }
  for (const ends of [sources, targets]) {
    for (const [edge, node] of ends.entries()) {
      const at = node * NODE + MASS
      matrix[at] = (matrix[at] ?? 0) + (weights[edge] ?? 1)
    }
  }
  return matrix
}

function edgeMatrix({ sources, targets, weights }: LayoutStart): Float32Array {
  const matrix = new Float32Array(sources.length * EDGE)
  for (const [edge, source] of sources.entries()) {
    matrix[edge * EDGE] = source * NODE
    matrix[edge * EDGE + 1] = (targets[edge] ?? 0) * NODE
    matrix[edge * EDGE + 2] = weights[edge] ?? 1
  }
  return matrix
}

/** Follows the package's advice: more space for few nodes, Barnes-Hut trees for many. */
function settingsFor(nodes: number): Readonly<Record<string, number | boolean>> {
  return {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(Math.max(2, nodes)),
    barnesHutOptimize: nodes > 500,
    barnesHutTheta: 0.7,
  }
}
