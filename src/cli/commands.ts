// The list of commands. Help and the dispatcher are made from it. A command is one file and one line here;
// its file is loaded only when the command is asked for.
import { nearest } from '../lib/edit-steps.ts'
import type { OptionInfo } from '../options/option.ts'
import type { Command, ListedCommand } from './command.ts'

export const COMMANDS: readonly ListedCommand[] = [
  {
    name: 'crawl',
    about: 'fetch pages from seeds, politely, and keep what they hold',
    load: () => import('./crawl/crawl.ts'),
  },
  {
    name: 'crawls',
    about: 'list the crawls in a workspace',
    load: () => import('./crawls.ts'),
  },
  {
    name: 'pages',
    about: 'list the pages of a crawl',
    load: () => import('./pages.ts'),
  },
  {
    name: 'urls',
    about: 'list every URL a crawl has seen, with its state and the reason',
    load: () => import('./urls.ts'),
  },
  {
    name: 'explain',
    about: 'tell the story of one URL: where it was found, why now, why not',
    load: () => import('./explain.ts'),
  },
  {
    name: 'search',
    about: 'find stored pages by their words',
    load: () => import('./search/search.ts'),
  },
  {
    name: 'index',
    about: 'bring the search index up to date with what is stored, or keep it so',
    load: () => import('./index-command.ts'),
  },
  {
    name: 'rank',
    about: 'list the best pages or hosts of a crawl by its links: PageRank, backlinks',
    load: () => import('./rank.ts'),
  },
  {
    name: 'cluster',
    about: 'group the pages of a crawl by their words, and label the groups',
    load: () => import('./cluster/cluster.ts'),
  },
  {
    name: 'graph',
    about: 'draw the links of a crawl as a map, or write them for Gephi, Graphviz or networkx',
    load: () => import('./graph.ts'),
  },
  {
    name: 'seeds',
    about: 'list hosts that a crawl leads to and does not enter, as seeds of the next one',
    load: () => import('./seeds.ts'),
  },
  {
    name: 'parse',
    about: 'show what the parser sees in one page: its fields, its main text, its parts',
    load: () => import('./parse/parse.ts'),
  },
  {
    name: 'export',
    about: 'write pages as files that other programs read',
    load: () => import('./export/export.ts'),
  },
  {
    name: 'train',
    about: 'learn to tell labels of texts from examples, and say how well that works',
    load: () => import('./train.ts'),
  },
  {
    name: 'classify',
    about: 'tell the labels of texts, or of the pages of a crawl, by a trained model',
    load: () => import('./classify.ts'),
  },
  {
    name: 'words',
    about: 'show what becomes of a text: its language, stems and stop words, and a topic of it',
    load: () => import('./words.ts'),
  },
  {
    name: 'simulate',
    about: 'replay a stored crawl with other orderings, and measure which finds more, sooner',
    load: () => import('./simulate/simulate.ts'),
  },
  {
    name: 'experiment',
    about: 'run a grid of real or simulated crawls, and write its report, tables and figures',
    load: () => import('./experiment.ts'),
  },
  {
    name: 'serve',
    about: 'take crawls over HTTP, and show them in the browser',
    load: () => import('./serve/serve.ts'),
  },
  {
    name: 'mcp',
    about: 'offer crawls and pages as tools to a program with a language model',
    load: () => import('./mcp/mcp.ts'),
  },
  {
    name: 'worker',
    about: 'lend this machine to the crawls of a database, beside others',
    load: () => import('./worker.ts'),
  },
  {
    name: 'init',
    about: 'write a config file with every option of a crawl, explained',
    load: () => import('./init.ts'),
  },
  {
    name: 'completion',
    about: 'print a script with which the shell completes commands and flags',
    load: () => import('./completion.ts'),
  },
  {
    name: 'demo',
    about: 'crawl a small web on this machine and compare with the truth',
    load: () => import('./demo.ts'),
  },
  {
    name: 'doctor',
    about: 'check that everything a crawl needs is there',
    load: () => import('./doctor/doctor.ts'),
  },
]

/** All options that a command takes, also those that are no flags. */
export function optionsOf({ options, more, others = [] }: Command): readonly OptionInfo[] {
  return [...options, ...(more?.options ?? []), ...others]
}

export function commandNamed(name: string): ListedCommand | null {
  return COMMANDS.find((known) => known.name === name) ?? null
}

/** The name that was probably meant; null where none is near. */
export function nearestCommand(word: string): string | null {
  return nearest(
    word,
    COMMANDS.map(({ name }) => name),
  )
}
