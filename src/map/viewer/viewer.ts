import { Camera } from './camera.ts'
import { listenToGestures } from './gestures.ts'
import { element, Panel, webText } from './panel.ts'
import { Picture } from './picture.ts'
import type { ViewerMap, ViewerState } from './viewer-map.ts'
import { chosenLanguage, filled, headingOf, WORDS, type Words } from './words.ts'

/** Brings the page to life: picture, panel, search, legend. */
export class Viewer {
  readonly #map: ViewerMap
  readonly #words: Words
  readonly #camera: Camera
  readonly #picture: Picture
  readonly #panel: Panel
  readonly #canvas: HTMLCanvasElement
  readonly #state: ViewerState
  #isDrawing = false
  #rest = 0

  constructor(map: ViewerMap, words: Words) {
    this.#map = map
    this.#words = words
    this.#canvas = elementNamed('canvas', HTMLCanvasElement)
    const context = this.#canvas.getContext('2d')
    if (context === null) throw new Error('this browser draws no canvas')
    this.#camera = new Camera(map)
    this.#picture = new Picture(this.#canvas, context, { map, camera: this.#camera })
    const select = (node: number | null): void => this.#select(node, true)
    this.#panel = new Panel(elementNamed('panel', HTMLElement), { map, words, select })
    const { colouring } = map
    const nothing = { selected: null, near: new Set<number>(), hovered: null, found: null }
    this.#state = { colouring, isMoving: false, ...nothing }
  }

  start(): void {
    this.#write()
    this.#listen()
    this.#showList()
    new ResizeObserver(() => {
      this.#camera.resize(this.#canvas.clientWidth, this.#canvas.clientHeight)
      this.#draw()
    }).observe(this.#canvas)
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#drawLegend()
      this.#draw()
    })
  }

  #write(): void {
    const { kind, subject, nodes, totalNodes, totalEdges, isJudged } = this.#map
    const words = this.#words
    const heading = headingOf(kind, subject, words)
    document.title = heading
    elementNamed('heading', HTMLElement).textContent = heading
    const isAll = nodes.length === totalNodes
    const counts = filled(isAll ? words.shownAll : words.shownSome, {
      ...{ n: nodes.length.toLocaleString(), total: totalNodes.toLocaleString() },
      ...{ edges: totalEdges.toLocaleString(), kind: words[kind] },
    })
    elementNamed('counts', HTMLElement).textContent = counts
    elementNamed('keys', HTMLElement).textContent = words.keys
    elementNamed('search-label', HTMLElement).textContent = words.search
    elementNamed('search', HTMLInputElement).placeholder = words.search
    this.#canvas.setAttribute('aria-label', `${heading}: ${counts}. ${words.map}`)
    for (const [id, text] of [
      ['zoom-in', words.zoomIn],
      ['zoom-out', words.zoomOut],
      ['fit', words.fit],
    ] as const) {
      const button = elementNamed(id, HTMLButtonElement)
      button.title = text
      button.setAttribute('aria-label', text)
    }
    elementNamed('colouring', HTMLElement).hidden = !isJudged
    elementNamed('colouring-label', HTMLElement).textContent = words.colourBy
    const choice = elementNamed('colour-by', HTMLSelectElement)
    choice.append(
      element('option', { value: 'host' }, words.host),
      element('option', { value: 'relevance' }, words.relevance),
    )
    choice.value = this.#state.colouring
    this.#drawLegend()
  }

  #listen(): void {
    const search = elementNamed('search', HTMLInputElement)
    search.addEventListener('input', () => this.#search(search.value))
    search.addEventListener('keydown', (event) => {
      const [first] = this.#state.found ?? []
      if (event.key === 'Enter' && first !== undefined) this.#select(first, true)
      if (event.key !== 'Escape') return
      search.value = ''
      this.#search('')
    })
    const choice = elementNamed('colour-by', HTMLSelectElement)
    choice.addEventListener('change', () => {
      this.#state.colouring = choice.value === 'relevance' ? 'relevance' : 'host'
      this.#drawLegend()
      this.#draw()
    })
    this.#onClick('zoom-in', () => this.#camera.zoom(1.5))
    this.#onClick('zoom-out', () => this.#camera.zoom(1 / 1.5))
    this.#onClick('fit', () => this.#camera.showAll())
    listenToGestures(this.#canvas, this.#camera, {
      onMove: () => this.#move(),
      onPoint: (at) => this.#hover(at === null ? null : this.#picture.nodeAt(at.x, at.y, 6)),
      onTap: (x, y, reach) => this.#select(this.#picture.nodeAt(x, y, reach), false),
      onEscape: () => this.#select(null, false),
    })
  }

  #onClick(id: string, act: () => void): void {
    elementNamed(id, HTMLButtonElement).addEventListener('click', () => {
      act()
      this.#draw()
    })
  }

  #hover(node: number | null): void {
    if (node === this.#state.hovered) return
    this.#state.hovered = node
    this.#canvas.classList.toggle('pointing', node !== null)
    this.#draw()
  }

  /** `goThere`: it was chosen by its name, so it may be out of sight. */
  #select(node: number | null, goThere: boolean): void {
    this.#state.selected = node
    this.#state.near = node === null ? new Set() : this.#neighboursOf(node)
    if (node === null) this.#showList()
    else {
      this.#panel.showNode(node)
      const { places } = this.#map
      const [x, y] = [(places[node * 2] ?? 0) / 10, (places[node * 2 + 1] ?? 0) / 10]
      if (goThere) this.#camera.goTo(x, y)
    }
    if (goThere) elementNamed('panel', HTMLElement).querySelector<HTMLElement>('h2')?.focus()
    elementNamed('spoken', HTMLElement).textContent =
      node === null ? '' : (this.#map.nodes[node]?.[0] ?? '')
    this.#draw()
  }

  #neighboursOf(node: number): ReadonlySet<number> {
    const { edges } = this.#map
    const near = new Set<number>()
    for (let at = 0; at < edges.length; at += 2) {
      if (edges[at] === node) near.add(edges[at + 1] ?? 0)
      if (edges[at + 1] === node) near.add(edges[at] ?? 0)
    }
    return near
  }

  #search(text: string): void {
    const wanted = text.trim().toLocaleLowerCase()
    const isMatch = ([label, url, host]: ViewerMap['nodes'][number]): boolean =>
      [label, url, host].some((field) => field.toLocaleLowerCase().includes(wanted))
    const matches = this.#map.nodes.flatMap((node, number) => (isMatch(node) ? [number] : []))
    this.#state.found = wanted === '' ? null : new Set(matches)
    this.#select(null, false)
  }

  #showList(): void {
    const { found } = this.#state
    if (found === null) this.#panel.showList(this.#words.best, [...this.#map.nodes.keys()])
    else {
      const count = filled(this.#words.found, { n: found.size.toLocaleString() })
      this.#panel.showList(found.size === 0 ? this.#words.noneFound : count, [...found])
    }
  }

  #drawLegend(): void {
    const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches
    const { colours, hosts, nodes } = this.#map
    const { hosts: ofHosts, other, scale, faded } = colours[isDark ? 'dark' : 'light']
    const words = this.#words
    const isRest = nodes.some(([, , host]) => !hosts.includes(host))
    const byHost = [
      ...hosts.map((host, place) => [ofHosts[place] ?? other, host] as const),
      ...(isRest ? [[other, words.otherHosts] as const] : []),
    ]
    const byRelevance = [
      ...scale.map(
        (colour, at) =>
          [colour, at === 0 ? words.low : at === scale.length - 1 ? words.high : ''] as const,
      ),
      [faded, words.notJudged] as const,
    ]
    const rows = (this.#state.colouring === 'host' ? byHost : byRelevance).map(([colour, name]) => {
      const mark = element('span', { class: 'mark' })
      mark.style.background = colour
      return element('li', {}, mark, webText(name))
    })
    elementNamed('legend', HTMLElement).replaceChildren(...rows)
  }

  #move(): void {
    this.#state.isMoving = true
    clearTimeout(this.#rest)
    this.#rest = window.setTimeout(() => {
      this.#state.isMoving = false
      this.#draw()
    }, 150)
    this.#draw()
  }

  /** Once a frame at most. */
  #draw(): void {
    if (this.#isDrawing) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      this.#picture.draw(this.#state)
    })
  }
}

export function elementNamed<Kind extends HTMLElement>(
  id: string,
  kind: abstract new () => Kind,
): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new Error(`the page has no ${id}`)
}

export function startViewer(): void {
  const language = chosenLanguage(navigator.languages)
  document.documentElement.lang = language
  const map: ViewerMap = JSON.parse(elementNamed('map', HTMLElement).textContent ?? '{}')
  new Viewer(map, WORDS[language]).start()
}
