// The order of the pages in the sidebar: one line for each, by its file in docs/. The title is the page's heading unless
// another stands here. A page that is not listed is shown all the same: below the others of its folder, or under "More".

export type Entry = string | readonly [file: string, title: string]

export type Section = {
  readonly title: string
  readonly entries: readonly Entry[]
  /** All other pages of this folder follow, by name. */
  readonly folder?: string
  /** Shown closed at first. */
  readonly collapsed?: boolean
}

/** Pages of the repository outside of docs/, and where they are in the site. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'project/changelog.md',
  'CONTRIBUTING.md': 'project/contributing.md',
  'bench/README.md': 'project/benchmarks.md',
  'clients/python/README.md': 'project/python.md',
  'training/README.md': 'project/training.md',
  'test/hostile/README.md': 'project/hostile-web.md',
}

export const SECTIONS: readonly Section[] = [
  {
    title: 'Guides',
    folder: 'guides',
    entries: [
      ['index.md', 'Start'],
      'guides/site-search.md',
      'guides/focused-crawl.md',
      'guides/comparing-orderings.md',
      'guides/text-corpora.md',
      ['guides/many-machines.md', 'Many machines'],
      'guides/containers.md',
    ],
  },
  {
    title: 'Course',
    entries: [
      ['course/README.md', 'Overview'],
      ['course/1-frontier.md', '1. The frontier'],
      ['course/2-politeness.md', '2. Politeness'],
      ['course/3-orderings.md', '3. Orderings'],
      ['course/4-focus.md', '4. Focus'],
      ['course/5-classification.md', '5. Classification'],
      ['course/6-evaluation.md', '6. Evaluation'],
    ],
  },
  {
    title: 'Kursus (bahasa Indonesia)',
    entries: [
      ['course/id/README.md', 'Ikhtisar'],
      ['course/id/1-frontier.md', '1. Frontier'],
      ['course/id/2-kesopanan.md', '2. Kesopanan'],
      ['course/id/3-urutan.md', '3. Urutan'],
      ['course/id/4-fokus.md', '4. Fokus'],
      ['course/id/5-klasifikasi.md', '5. Klasifikasi'],
      ['course/id/6-evaluasi.md', '6. Evaluasi'],
    ],
    collapsed: true,
  },
  {
    title: 'Coming from',
    folder: 'coming-from',
    entries: [
      ['coming-from/scrapy.md', 'Scrapy'],
      ['coming-from/crawlee.md', 'Crawlee'],
      ['coming-from/firecrawl.md', 'Firecrawl'],
      ['coming-from/heritrix.md', 'Heritrix'],
      ['coming-from/ache.md', 'ACHE'],
    ],
  },
  {
    title: 'Crawling',
    entries: [
      'CRAWLING.md',
      'FOCUS.md',
      ['ORDERINGS.md', 'Orderings'],
      'EXPERIMENTS.md',
      ['REFRESH.md', 'Recrawls'],
      ['NETWORK.md', 'Network'],
      'PLUGINS.md',
      ['DURABILITY.md', 'Durability'],
    ],
  },
  {
    title: 'Using the pages',
    entries: [
      ['PAGES.md', 'Pages and SQL'],
      'FIELDS.md',
      'SEARCH.md',
      ['SITE-SEARCH.md', 'The search box'],
      ['GRAPH.md', 'The link graph'],
      ['CLUSTERS.md', 'Clusters'],
      'EXPORT.md',
      ['FEED.md', 'The feed of changes'],
    ],
  },
  {
    title: 'Server and programs',
    entries: [
      ['SERVICE.md', 'The service'],
      ['MANY-MACHINES.md', 'Many machines in detail'],
      ['MCP.md', 'MCP'],
      'FIRECRAWL.md',
      ['LIBRARY.md', 'The library'],
      ['clients/python/README.md', 'Python client'],
    ],
  },
  { title: 'Commands', folder: 'reference/commands', entries: [], collapsed: true },
  { title: 'HTTP API', folder: 'reference/http', entries: [], collapsed: true },
  {
    title: 'Other reference',
    folder: 'reference',
    entries: [['api-report.md', 'Types of the library'], 'GLOSSARY.md'],
    collapsed: true,
  },
  {
    title: 'Inside',
    entries: [
      'ARCHITECTURE.md',
      ['FRONTIER.md', 'The frontier'],
      'FIGURES.md',
      ['bench/README.md', 'Benchmarks'],
      ['training/README.md', 'Training'],
      ['test/hostile/README.md', 'The hostile web'],
      'CONTRIBUTING.md',
      ['CHANGELOG.md', 'Changes'],
    ],
    collapsed: true,
  },
  { title: 'Decisions', folder: 'decisions', entries: [], collapsed: true },
]
