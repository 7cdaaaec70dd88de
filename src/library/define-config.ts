import type { CrawlOptions } from './crawl-options.ts'

/** The options of a crawl, to be kept in a file of their own; seeds may come later. */
export type Config = Partial<CrawlOptions>

/** Returns its argument; an editor then knows the names of all options. */
export function defineConfig<C extends Config>(config: C): C {
  return config
}
