// One case of the hostile web: what somebody does to us, and what must hold all the same.
import type { Names } from './server/name-server.ts'
import type { Script } from './server/request.ts'
import type { Stage } from './stage.ts'

export type HostileCase = {
  /** A letter and a number, such as `T7`: the name everybody calls it by. */
  readonly id: string
  /** What the server, the page or the caller does. */
  readonly does: string
  /** What must be true afterwards. */
  readonly holds: string
  /** Where less than `holds` is true on purpose: what, and why. */
  readonly partly?: string
  /** Too slow for every run of the test suite. */
  readonly slow?: true
  /** Hosts it brings into a shared crawl. */
  readonly web?: Web
  /** Throws when it does not hold; otherwise says what was seen. */
  readonly check: (stage: Stage) => string | Promise<string>
}

export type Web = {
  readonly crawl: CrawlName
  /** By the name of the host, all under `.test`. */
  readonly hosts: Readonly<Record<string, Script>>
  /** `http://HOST/` of every host, unless it is said otherwise. */
  readonly seeds?: readonly string[]
  /** What the name server says of its names; an address of the web server unless it is said. */
  readonly names?: Names
}

/** The shared crawls: each is one run of the program over the hosts of many cases. */
export const CRAWL_NAMES = ['web', 'polite', 'guard', 'traps', 'pages', 'h2'] as const
export type CrawlName = (typeof CRAWL_NAMES)[number]

/** The machine cannot show this case: no network namespace, no openssl, no browser. */
export class CannotShow extends Error {}
