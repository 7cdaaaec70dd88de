// The command line: argv, environment and files in, a decoded command out; text and JSON to print.
// It knows no store, no process and no network. This file is the list of commands, from which help
// and the dispatcher are made; to add one, add it here and its run function in main/.
import type { OptionInfo } from '../options/option.ts'
import { CRAWL_FOCUS_FLAGS, CRAWL_PLAIN_FLAGS } from './crawl/crawl-command.ts'
import { EXPORT_FILTER_OPTIONS, EXPORT_OPTIONS } from './export/export-options.ts'
import { GRAPH_OPTIONS } from './graph-command.ts'
import { INDEX_OPTIONS } from './index/index-command.ts'
import { PARSE_FETCH_OPTIONS, PARSE_PAGE_OPTIONS } from './parse/parse-command.ts'
import { RANK_OPTIONS } from './rank-command.ts'
import {
  CRAWLS_FLAGS,
  DEMO_FLAGS,
  DOCTOR_FLAGS,
  EXPLAIN_FLAGS,
  PAGES_FLAGS,
  URLS_FLAGS,
} from './reader-commands.ts'
import { SEARCH_FILTER_OPTIONS, SEARCH_OPTIONS } from './search/search-command.ts'
import { SERVE_JOB_OPTIONS, SERVE_OPTIONS } from './serve/serve-command.ts'
import { SIMULATE_OPTIONS, SIMULATE_TOPIC_OPTIONS } from './simulate/simulate-options.ts'
import { CLASSIFY_OPTIONS } from './train/classify-command.ts'
import { TRAIN_OPTIONS } from './train/train-command.ts'
import { WORDS_OPTIONS } from './words-command.ts'
import { WORKER_NETWORK_OPTIONS, WORKER_OPTIONS } from './worker-command.ts'

export const COMMAND_NAMES = [
  'crawl',
  'crawls',
  'pages',
  'urls',
  'explain',
  'search',
  'index',
  'rank',
  'graph',
  'parse',
  'export',
  'train',
  'classify',
  'words',
  'simulate',
  'serve',
  'worker',
  'demo',
  'doctor',
] as const
export type CommandName = (typeof COMMAND_NAMES)[number]

export type Command = {
  readonly about: string
  /** What follows its name. */
  readonly usage: string
  readonly options: readonly OptionInfo[]
  /** Options under a title of their own, below the others. */
  readonly more?: { readonly title: string; readonly options: readonly OptionInfo[] }
  /** Lines as they would be typed, without `jelajah`, and what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[]
}

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  crawl: {
    about: 'fetch pages from seeds, politely, and keep what they hold',
    usage: '<seed…> [options]',
    options: CRAWL_PLAIN_FLAGS,
    more: { title: 'What it is about, and when it has enough:', options: CRAWL_FOCUS_FLAGS },
    examples: [
      ['crawl https://example.com --max-pages 100 --contact you@example.com', 'one site'],
      ['crawl a.org b.org c.org --host-policy fair', 'three sites, an equal share of each'],
      ['crawl --seed-file seeds.txt --duration 3600 --json', 'an hour, summary as JSON'],
      ['crawl https://example.com --refresh', 'later: what changed there, went and came'],
      [
        'crawl a.org --scope any --ordering adaptive --topic "solar power at home" --max-hot 500',
        'roam from a site for 500 pages about something',
      ],
    ],
  },
  crawls: {
    about: 'list the crawls in a place',
    usage: '[options]',
    options: CRAWLS_FLAGS,
    examples: [['crawls --data ./news', 'which crawls there are, and how they ended']],
  },
  pages: {
    about: 'list the pages of a crawl',
    usage: '[options]',
    options: PAGES_FLAGS,
    examples: [
      ['pages --host example.com --limit 20', 'the first pages of one host'],
      ['pages --json > pages.ndjson', 'all of them with their text'],
      ['pages --hot --min-relevance 0.8', 'what a focused crawl was after'],
    ],
  },
  urls: {
    about: 'list every URL a crawl has seen, with its state and the reason',
    usage: '[options]',
    options: URLS_FLAGS,
    examples: [['urls --state refused', 'what was not fetched, and why']],
  },
  explain: {
    about: 'tell the story of one URL: where it was found, why now, why not',
    usage: '<url> [options]',
    options: EXPLAIN_FLAGS,
    examples: [['explain https://example.com/page', 'in the newest crawl']],
  },
  search: {
    about: 'find stored pages by their words',
    usage: '<query…> [options]',
    options: SEARCH_OPTIONS,
    more: { title: 'Which pages, and where in them:', options: SEARCH_FILTER_OPTIONS },
    examples: [
      ['search green tea', 'pages with both words, in any form of them'],
      ['search "\\"green tea\\" OR coffee -sugar"', 'a phrase or a word, without another word'],
      ['search title:harvest* --language id --since 7d', 'in titles of new pages, in Indonesian'],
      ['search tea --columns title,description --json', 'as JSON, with facets'],
      ['search -- --odd', 'what begins with two dashes, after --'],
    ],
  },
  rank: {
    about: 'list the best pages or hosts of a crawl by its links: PageRank, backlinks',
    usage: '[options]',
    options: RANK_OPTIONS,
    examples: [
      ['rank --top 50', 'the pages of the newest crawl that the others lead to'],
      ['rank --hosts --json > hosts.ndjson --top 1000000', 'all hosts, as JSON'],
      ['rank --host example.com --by backlinks', 'the most linked pages of one host'],
    ],
  },
  graph: {
    about: 'draw the links of a crawl as a map, or write them for Gephi, Graphviz or networkx',
    usage: 'pages|sites [options]',
    options: GRAPH_OPTIONS,
    examples: [
      ['graph sites --out sites.html', 'hosts and the links between them, to open in a browser'],
      ['graph pages --host example.com --out example.svg', 'a picture of one site'],
      ['graph pages --out web.gexf', 'all pages and links, for Gephi'],
      ['graph pages --top 200 --format dot | sfdp -Tsvg > web.svg', 'drawn by Graphviz'],
    ],
  },
  index: {
    about: 'bring the search index up to date with what is stored, or keep it so',
    usage: '[options]',
    options: INDEX_OPTIONS,
    examples: [
      ['index --data ./news', 'read what came since the last time'],
      ['index --follow', 'beside crawls, until Ctrl-C'],
      ['index --rebuild', 'make it anew'],
    ],
  },
  parse: {
    about: 'show what the parser sees in one page: its fields, its main text, its parts',
    usage: '<file|url|-> [options]',
    options: PARSE_PAGE_OPTIONS,
    more: { title: 'When the page is a URL:', options: PARSE_FETCH_OPTIONS },
    examples: [
      ['parse https://example.com/page', 'fetched politely, shown for reading'],
      ['parse page.html --url https://example.com/page --json', 'a file, as one JSON object'],
      ['parse page.html --parts links,images', 'with its links and images listed'],
      ['parse - --markdown < page.html', 'from stdin, the main content as Markdown'],
    ],
  },
  export: {
    about: 'write pages as files that other programs read',
    usage: '[--format NAME] --out PATH|- [options]',
    options: EXPORT_OPTIONS,
    more: { title: 'Which pages, and more about some formats:', options: EXPORT_FILTER_OPTIONS },
    examples: [
      [
        'export --format ndjson --out pages.ndjson',
        'pages of the newest crawl with all their parts',
      ],
      ['export --format csv --what links --out links.csv.gz', 'every link, compressed'],
      [
        'export --format text --per language --min-words 50 --without-boilerplate --out corpus',
        'clean texts for clustering or a language model',
      ],
      ['export --format ndjson --query "solar power" --language en --out - | jq .title', 'a pipe'],
      ['export --format edges --host example.com --out graph.tsv', 'the links of one site'],
    ],
  },
  simulate: {
    about: 'replay a stored crawl with other orderings, and measure which finds more, sooner',
    usage: '[options]',
    options: SIMULATE_OPTIONS,
    more: { title: 'What is looked for, and what is right:', options: SIMULATE_TOPIC_OPTIONS },
    examples: [
      ['simulate --demo', 'a first comparison, on webs made up for it'],
      ['simulate --data ./news --topic "tea and coffee" --out report', 'with curves, as a page'],
      ['simulate --data ./web --topics topics.json --truth truth.jsonl', 'over many topics'],
      [
        'simulate --data ./web --orderings breadth-first,opic --host-policy best,fair --delay 1000',
        'under politeness, in virtual time',
      ],
      [
        'simulate --data ./web --orderings shark-search,shark-search:beta=0.5 --keywords tea',
        'the same ordering with other options',
      ],
    ],
  },
  train: {
    about: 'learn to tell labels of texts from examples, and say how well that works',
    usage: '<texts.jsonl|-> --out FILE [options]',
    options: TRAIN_OPTIONS,
    examples: [
      ['train texts.jsonl --out model.json', 'lines such as {"text": "…", "label": "health"}'],
      [
        'crawl example.com --ordering adaptive --classifier model.json --topic health',
        'pages with that label first',
      ],
    ],
  },
  classify: {
    about: 'tell the labels of texts, or of the pages of a crawl, by a trained model',
    usage: '<texts.jsonl|text|-> --model FILE [options]',
    options: CLASSIFY_OPTIONS,
    examples: [
      ['classify "the match ended in a draw" --model model.json', 'one text'],
      ['classify held-out.jsonl --model model.json', 'labelled texts: also how often it is right'],
      ['classify --data ./news --model model.json --json', 'every page of the newest crawl there'],
    ],
  },
  words: {
    about: 'show what becomes of a text: its language, stems and stop words, and a topic of it',
    usage: '<text|-> [options]',
    options: WORDS_OPTIONS,
    examples: [
      ['words "vaksin dan sistem imun"', 'what --topic with this text would look for'],
      ['words --file article.txt --json | jq .families', 'which words fall together'],
    ],
  },
  serve: {
    about: 'take crawls over HTTP, and show them in the browser',
    usage: '[options]',
    options: SERVE_OPTIONS,
    more: { title: 'For every crawl it is asked for:', options: SERVE_JOB_OPTIONS },
    examples: [
      ['serve', 'then open http://127.0.0.1:8088 in a browser'],
      ['serve --data ./news --port 9000 --contact you@example.com', 'with the crawls of a folder'],
      ['serve --host 0.0.0.0', 'for other machines: JELAJAH_TOKEN must be set'],
      [
        'serve --data postgres://db/web --frontier redis://cache',
        'the master of workers on other machines: it takes crawls, they fetch',
      ],
    ],
  },
  worker: {
    about: 'lend this machine to the crawls of a database, beside others',
    usage: '--data postgres://… --frontier redis://… [options]',
    options: WORKER_OPTIONS,
    more: { title: 'How this machine reaches the web:', options: WORKER_NETWORK_OPTIONS },
    examples: [
      ['worker --data postgres://db/web --frontier redis://cache', 'until Ctrl-C'],
      ['worker --list', 'which workers there are, on which machines, and what they do'],
      [
        'worker --pairs 4 --name rack-7',
        'with the places in JELAJAH_DATA and JELAJAH_FRONTIER, where nobody sees their passwords',
      ],
    ],
  },
  demo: {
    about: 'crawl a small web on this machine and compare with the truth',
    usage: '[options]',
    options: DEMO_FLAGS,
    examples: [
      ['demo', 'takes some seconds, needs no network; then shows the result in the browser'],
      ['demo --no-serve', 'ends by itself, on a terminal too'],
    ],
  },
  doctor: {
    about: 'check that everything a crawl needs is there',
    usage: '[options]',
    options: DOCTOR_FLAGS,
    examples: [
      ['doctor --data ./news', 'also checks the files of that place'],
      ['doctor --rebuild-frontier --data ./news', 'makes a frontier again that was damaged'],
      [
        'doctor --rebuild-frontier --data postgres://db/crawls --frontier redis://cache',
        'makes again what Redis lost of crawls',
      ],
    ],
  },
}

export function commandNamed(name: string): CommandName | null {
  return COMMAND_NAMES.find((known) => known === name) ?? null
}
