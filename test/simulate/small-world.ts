// Worlds of a few pages for tests of the replay, written as `page: links`.
import { canonicalise } from '../../src/core/url.ts'
import type { ReplayWorld } from '../../src/simulate/replay-world.ts'
import { type MadePage, makeWorld } from '../../src/simulate/replay-world.ts'

/** `a.test/1` links to whatever is listed; the anchor of a link is its target's address. */
export function smallWorld(
  links: Readonly<Record<string, readonly string[]>>,
  texts: Readonly<Record<string, string>> = {},
): ReplayWorld {
  const names = Object.keys(links)
  const pages = names.map(
    (name): MadePage => ({
      url: urlOf(name),
      title: name,
      text: texts[name] ?? '',
      links: (links[name] ?? []).map((to) => ({
        to: names.indexOf(to),
        anchor: to,
        context: texts[to] ?? '',
      })),
    }),
  )
  return makeWorld(pages)
}

export function urlOf(name: string) {
  return canonicalise(`http://${name}`)!
}
