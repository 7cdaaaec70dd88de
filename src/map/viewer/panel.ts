import type { ViewerMap } from './viewer-map.ts'
import { filled, type Words } from './words.ts'

/** An element with children; texts become text and nothing else. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  about: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(about)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/** What the web said, kept apart from what stands around it. */
export function webText(text: string): HTMLElement {
  return element('bdi', {}, text)
}

/** A link only where a click opens a page of the web and nothing else. */
export function webLink(url: string): HTMLElement {
  if (!/^https?:\/\//.test(url)) return webText(url)
  const about = { href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }
  return element('a', about, webText(url))
}

/** The side of the page that names nodes: a list of them, or one in full. */
export class Panel {
  readonly #root: HTMLElement
  readonly #map: ViewerMap
  readonly #words: Words
  readonly #select: (node: number | null) => void

  constructor(root: HTMLElement, { map, words, select }: PanelOptions) {
    this.#root = root
    this.#map = map
    this.#words = words
    this.#select = select
  }

  showList(title: string, nodes: readonly number[]): void {
    const heading = element('h2', {}, title)
    this.#root.replaceChildren(heading, ...this.#list(nodes, 100))
  }

  showNode(node: number): void {
    const [label, url, host, rank, relevance, hot, linksIn, linksOut, pages] = this.#map.nodes[
      node
    ] ?? ['', '', '', 0, null, 0, 0, 0, null]
    const words = this.#words
    const back = element('button', { type: 'button', class: 'back' }, `← ${words.close}`)
    back.addEventListener('click', () => this.#select(null))
    const facts: (readonly [string, string])[] = [
      ...(pages === null ? [] : [[words.pagesHere, pages.toLocaleString()] as const]),
      [words.rank, rank.toPrecision(3)],
      [words.linksIn, linksIn.toLocaleString()],
      [words.linksOut, linksOut.toLocaleString()],
      ...(relevance === null ? [] : [[words.relevance, relevance.toFixed(2)] as const]),
      ...(hot === 1 ? [[words.hot, words.yes] as const] : []),
    ]
    this.#root.replaceChildren(
      back,
      element('h2', { tabindex: '-1', class: 'name' }, webText(label)),
      element('p', { class: 'address' }, url === '' ? webText(host) : webLink(url)),
      element('dl', {}, ...facts.flatMap(([term, value]) => this.#fact(term, value))),
      ...this.#neighbours(words.linkedFrom, this.#others(node, 1, 0)),
      ...this.#neighbours(words.linksTo, this.#others(node, 0, 1)),
    )
  }

  #fact(term: string, value: string): readonly HTMLElement[] {
    return [element('dt', {}, term), element('dd', {}, value)]
  }

  #neighbours(title: string, nodes: readonly number[]): readonly HTMLElement[] {
    if (nodes.length === 0) return []
    const heading = element('h3', {}, filled(title, { n: nodes.length.toLocaleString() }))
    return [heading, ...this.#list(nodes, 50)]
  }

  /** The other ends of a node's edges, best first. */
  #others(node: number, own: 0 | 1, other: 0 | 1): readonly number[] {
    const { edges } = this.#map
    const others: number[] = []
    for (let at = 0; at < edges.length; at += 2) {
      if (edges[at + own] === node) others.push(edges[at + other] ?? 0)
    }
    return others.sort((a, b) => a - b)
  }

  #list(nodes: readonly number[], most: number): readonly HTMLElement[] {
    const rows = nodes.slice(0, most).map((node) => {
      const [label, url, host] = this.#map.nodes[node] ?? ['', '', '']
      const button = element('button', { type: 'button', title: url || host }, webText(label))
      button.addEventListener('click', () => this.#select(node))
      return element('li', {}, button)
    })
    const left = nodes.length - rows.length
    const more = element(
      'p',
      { class: 'soft' },
      filled(this.#words.more, { n: left.toLocaleString() }),
    )
    return [element('ol', {}, ...rows), ...(left > 0 ? [more] : [])]
  }
}

export type PanelOptions = {
  readonly map: ViewerMap
  readonly words: Words
  readonly select: (node: number | null) => void
}
