import type { Camera } from './camera.ts'
import type { ViewerMap, ViewerState } from './viewer-map.ts'

/** Draws a map on a canvas. Texts are drawn letter by letter and never read as anything else. */
export class Picture {
  readonly #map: ViewerMap
  readonly #canvas: HTMLCanvasElement
  readonly #context: CanvasRenderingContext2D
  readonly #camera: Camera
  readonly #hosts: ReadonlyMap<string, number>
  /** x and y of each node on the screen. */
  readonly #drawnAt: Float32Array
  readonly #font = '500 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

  constructor(
    canvas: HTMLCanvasElement,
    context: CanvasRenderingContext2D,
    { map, camera }: PictureOptions,
  ) {
    this.#map = map
    this.#canvas = canvas
    this.#context = context
    this.#camera = camera
    this.#drawnAt = new Float32Array(map.places.length)
    this.#hosts = new Map(map.hosts.map((host, place) => [host, place]))
  }

  /** Where a node was drawn. */
  x(node: number): number {
    return this.#drawnAt[node * 2] ?? 0
  }

  y(node: number): number {
    return this.#drawnAt[node * 2 + 1] ?? 0
  }

  radius(node: number): number {
    return Math.max(1, ((this.#map.sizes[node] ?? 10) / 10) * this.#camera.growth)
  }

  /** The node at these pixels, or not far from them; null: none. The better one wins. */
  nodeAt(x: number, y: number, reach: number): number | null {
    let nearest: number | null = null
    let least = Number.POSITIVE_INFINITY
    for (let node = 0; node < this.#map.nodes.length; node++) {
      const away = Math.hypot(this.x(node) - x, this.y(node) - y) - this.radius(node)
      if (away < Math.min(reach, least)) {
        least = Math.max(away, 0)
        nearest = node
      }
    }
    return nearest
  }

  colourOf(node: number, state: ViewerState): string {
    const colours = this.#colours()
    const [, , host, , relevance] = this.#map.nodes[node] ?? []
    if (state.colouring === 'host') {
      return colours.hosts[this.#hosts.get(host ?? '') ?? -1] ?? colours.other
    }
    if (relevance === null || relevance === undefined) return colours.faded
    const at = Math.min(colours.scale.length - 1, Math.floor(relevance * colours.scale.length))
    return colours.scale[Math.max(0, at)] ?? colours.faded
  }

  draw(state: ViewerState): void {
    const { width, height } = this.#camera
    const ratio = window.devicePixelRatio || 1
    if (this.#canvas.width !== Math.round(width * ratio))
      this.#canvas.width = Math.round(width * ratio)
    if (this.#canvas.height !== Math.round(height * ratio)) {
      this.#canvas.height = Math.round(height * ratio)
    }
    this.#context.setTransform(ratio, 0, 0, ratio, 0, 0)
    this.#context.clearRect(0, 0, width, height)
    this.#place()
    this.#drawEdges(state)
    this.#drawNodes(state)
    this.#drawNames(state)
  }

  #colours() {
    const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    return this.#map.colours[isDark ? 'dark' : 'light']
  }

  /** Once a frame: each node is asked for many times. */
  #place(): void {
    const { places } = this.#map
    for (let at = 0; at < places.length; at += 2) {
      this.#drawnAt[at] = this.#camera.screenX((places[at] ?? 0) / 10)
      this.#drawnAt[at + 1] = this.#camera.screenY((places[at + 1] ?? 0) / 10)
    }
  }

  /** In few strokes; of a selected node all, also those that are not worth a line otherwise. */
  #drawEdges({ selected, isMoving }: ViewerState): void {
    const { edges, told } = this.#map
    const context = this.#context
    context.strokeStyle = this.#colours().strongEdge
    context.globalAlpha = selected === null ? 0.3 : 0.75
    const count = selected !== null ? edges.length / 2 : isMoving ? Math.min(told, 2500) : told
    const strengths = this.#map.links.length === 0 ? 1 : 4
    for (let strength = 0; strength < strengths; strength++) {
      context.beginPath()
      for (let edge = 0; edge < count; edge++) {
        const from = edges[edge * 2] ?? 0
        const to = edges[edge * 2 + 1] ?? 0
        if (selected !== null && from !== selected && to !== selected) continue
        if (strengths > 1 && this.#strengthOf(edge) !== strength) continue
        context.moveTo(this.x(from), this.y(from))
        context.lineTo(this.x(to), this.y(to))
      }
      context.lineWidth = (selected === null ? 0.7 : 1.2) * (1 + strength)
      context.stroke()
    }
    context.globalAlpha = 1
  }

  /** From 0 to 3: one link, some, tens, hundreds. */
  #strengthOf(edge: number): number {
    return Math.min(3, Math.floor(Math.log2(this.#map.links[edge] ?? 1) / 2.3))
  }

  /** The best ones last, on top. */
  #drawNodes(state: ViewerState): void {
    const context = this.#context
    const faded = this.#colours().faded
    let fill = ''
    for (let node = this.#map.nodes.length - 1; node >= 0; node--) {
      const [x, y, radius] = [this.x(node), this.y(node), this.radius(node)]
      if (this.#isOut(x, y, radius)) continue
      const colour = this.isMeant(node, state) ? this.colourOf(node, state) : faded
      if (colour !== fill) context.fillStyle = colour
      fill = colour
      context.beginPath()
      context.arc(x, y, radius, 0, Math.PI * 2)
      context.fill()
    }
    for (const node of [state.hovered, state.selected]) {
      if (node !== null) this.#drawRing(node)
    }
  }

  #drawRing(node: number): void {
    const context = this.#context
    context.beginPath()
    context.arc(this.x(node), this.y(node), this.radius(node) + 3, 0, Math.PI * 2)
    context.lineWidth = 2
    context.strokeStyle = this.#colours().text
    context.stroke()
  }

  isMeant(node: number, { selected, near, found }: ViewerState): boolean {
    if (selected !== null) return node === selected || near.has(node)
    return found === null || found.has(node)
  }

  /** Those that are pointed at first, then the best, as long as none covers another. */
  #drawNames(state: ViewerState): void {
    const context = this.#context
    const colours = this.#colours()
    const taken = [...this.#buttons()]
    context.font = this.#font
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = colours.ground
    context.fillStyle = colours.text
    for (const node of this.#named(state)) {
      const text = this.#nameOf(node)
      const place = this.#room(node, context.measureText(text).width, taken)
      if (place === null) continue
      taken.push(place)
      context.strokeText(text, place[0], this.y(node))
      context.fillText(text, place[0], this.y(node))
    }
  }

  /** They lie over the picture: no name is read below them. */
  #buttons(): readonly Box[] {
    const zoom = document.querySelector<HTMLElement>('.zoom')
    if (zoom === null) return []
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = zoom
    return [[left, top, left + width, top + height]]
  }

  /** Numbers of the nodes whose names are wanted, at most some hundred. */
  #named(state: ViewerState): readonly number[] {
    const first = [state.hovered, state.selected].filter((node) => node !== null)
    const wanted = new Set<number>(first)
    for (let node = 0; node < this.#map.nodes.length && wanted.size < 150; node++) {
      const isSeen = !this.#isOut(this.x(node), this.y(node), 0)
      if (isSeen && this.isMeant(node, state)) wanted.add(node)
    }
    return [...wanted]
  }

  #nameOf(node: number): string {
    const letters = [...(this.#map.nodes[node]?.[0] ?? '')]
    return letters.length > 32 ? `${letters.slice(0, 31).join('')}…` : letters.join('')
  }

  /** Beside the node, to the right or to the left; null where another name is in the way. */
  #room(node: number, width: number, taken: readonly Box[]): Box | null {
    const [x, y, radius] = [this.x(node), this.y(node), this.radius(node)]
    for (const left of [x + radius + 4, x - radius - 4 - width]) {
      const box = [left, y - 8, left + width, y + 8] as const
      const isInside = left >= 0 && box[2] <= this.#camera.width
      const isFree = taken.every(
        ([l, t, r, b]) => box[0] > r + 4 || box[2] < l - 4 || box[1] > b || box[3] < t,
      )
      if (isInside && isFree) return box
    }
    return null
  }

  #isOut(x: number, y: number, radius: number): boolean {
    const { width, height } = this.#camera
    return x < -radius || y < -radius || x > width + radius || y > height + radius
  }
}

type Box = readonly [left: number, top: number, right: number, bottom: number]

export type PictureOptions = {
  readonly map: ViewerMap
  readonly camera: Camera
}
