/** Who says what is relevant: people, the crawl when it was made, the topic itself, or nobody. */
export type JudgedBy = 'truth' | 'crawl' | 'topic' | 'nobody'

/** What the figures themselves do not say about a simulation. */
export type RunFacts = {
  /** The web that was replayed, as people call it: a crawl's name, a folder. */
  readonly web: string
  /** The command line that does all of it again. */
  readonly command: string
  /** Gap between requests to one host in virtual milliseconds; null without politeness. */
  readonly delayMs: number | null
  readonly judgedBy: JudgedBy
}
