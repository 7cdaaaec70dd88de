// Pages of reference, made from the list of commands, the table of options, the list of orderings and the OpenAPI
// document of the server.
import type { Command, ListedCommand } from '../src/cli/command.ts'
import { COMMANDS } from '../src/cli/commands.ts'
import { spelling } from '../src/cli/table.ts'
import {
  type Described,
  type Operation,
  operationsOf,
} from '../src/dashboard/api-doc/operations.ts'
import en from '../src/dashboard/i18n/en.json' with { type: 'json' }
import type { OptionInfo } from '../src/options/option.ts'
import { crawlOptions } from '../src/options/options.ts'
import { OPTION_GROUPS } from '../src/options/table.ts'
import { ORDERINGS } from '../src/ordering/index.ts'
import type { Ordering } from '../src/ordering/ordering.ts'

const ORIGIN = 'http://127.0.0.1:8088'

/** Text by path in the site. */
export async function referencePages(openapi: unknown): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const listed of COMMANDS) {
    const { command } = await listed.load()
    pages.set(`reference/commands/${listed.name}.md`, commandPage(listed, command))
  }
  for (const [path, text] of httpPages(openapi)) pages.set(path, text)
  pages.set('reference/orderings.md', orderingsPage())
  return pages
}

// Commands.

function commandPage({ name, about }: ListedCommand, command: Command): string {
  const { usage, options, more, examples } = command
  const shown = options.filter(({ hidden }) => !hidden)
  const below = more?.options.filter(({ hidden }) => !hidden) ?? []
  return lines(
    `# jelajah ${name}`,
    `${sentence(about)}`,
    code('sh', `jelajah ${name} ${usage}`),
    ...(name === 'crawl' ? crawlTables([...shown, ...below]) : [optionTable(shown)]),
    ...(name === 'crawl' || more === undefined
      ? []
      : [`## ${more.title.replace(/:$/, '')}`, optionTable(below)]),
    '## Examples',
    code('sh', examples.map(([line, does]) => `# ${does}\njelajah ${line}`).join('\n')),
    '## Other ways to set them',
    'Every option can also be set in the environment, as `JELAJAH_` and its name in capitals, unless the table says ' +
      'otherwise: `JELAJAH_MAX_PAGES` for `--max-pages`.',
    ...(name === 'crawl' ? [SOURCES] : []),
  )
}

const SOURCES =
  'A request to the [HTTP API](../http/jobs.md) has the name with underscores: `max_pages`. A program has it in ' +
  '[camel case](../../LIBRARY.md): `maxPages`. The file `jelajah.config.json` takes either; `jelajah init` writes one.'

/** The options of a crawl by their groups; then those of the command alone. */
function crawlTables(all: readonly OptionInfo[]): readonly string[] {
  const ofCrawl = crawlOptions(ORDERINGS).filter(({ hidden }) => !hidden)
  const names = new Set(ofCrawl.map(({ name }) => name))
  const groups = OPTION_GROUPS.flatMap((group) => [
    `## ${en[`group.${group}`]}`,
    optionTable(ofCrawl.filter((option) => option.group === group)),
  ])
  const others = all.filter(({ name }) => !names.has(name))
  return [...groups, '## Where it lives, and how it runs', optionTable(others)]
}

function optionTable(options: readonly OptionInfo[]): string {
  return table(
    ['option', 'meaning'],
    options.map((option) => [inline(spelling(option)), aboutText(option)]),
  )
}

function aboutText(option: OptionInfo): string {
  const { help, on, repeatable, env, fromEnvironment, default: preset } = option
  const notes = [
    ...(preset ? [`Default: ${cell(preset)}.`] : []),
    ...(repeatable ? ['Repeatable.'] : []),
    ...(env === undefined ? [] : [`Environment: ${inline(env)}.`]),
    ...(fromEnvironment === false ? ['Not from the environment.'] : []),
  ]
  return [cell(sentence(`${on ? 'do not ' : ''}${help}`)), ...notes].join(' ')
}

// Orderings.

function orderingsPage(): string {
  return lines(
    '# Orderings and their options',
    'Which URL of a host goes first: `jelajah crawl … --ordering NAME --ordering-option NAME=VALUE`. ' +
      '[What they are](../ORDERINGS.md) and [how they compare](../FIGURES.md#orderings) is told elsewhere.',
    ...ORDERINGS.flatMap(orderingPart),
  )
}

function orderingPart({ name, about, focused, options = [] }: Ordering): readonly string[] {
  return [
    `## ${name}`,
    `${sentence(cell(about))}${focused === true ? ' It needs a topic.' : ''}`,
    ...(options.length === 0
      ? []
      : [
          table(
            ['option', 'default', 'from', 'to', 'meaning'],
            options.map((option) => [
              inline(option.name),
              String(option.default),
              String(option.min),
              String(option.max),
              cell(sentence(option.help)),
            ]),
          ),
        ]),
  ]
}

// HTTP.

function httpPages(openapi: unknown): ReadonlyMap<string, string> {
  const operations = operationsOf(openapi, ORIGIN)
  const tags: readonly { name: string; description: string }[] = Object(openapi).tags ?? []
  const pages = new Map<string, string>()
  for (const { name, description } of tags) {
    const inside = operations.filter(({ tag }) => tag === name)
    if (inside.length === 0) continue
    pages.set(
      `reference/http/${name}.md`,
      lines(
        `# HTTP: ${name}`,
        `${sentence(cell(description))} The server describes itself at \`/openapi.json\`; ` +
          '[the service](../../SERVICE.md) explains how to use it.',
        ...inside.flatMap(operationPart),
      ),
    )
  }
  return pages
}

function operationPart(operation: Operation): readonly string[] {
  const { method, path, summary, description, parameters, body, answers, curl } = operation
  return [
    `## ${method} ${path}`.replaceAll('{', '\\{'),
    sentence(cell(summary)),
    ...(description === '' ? [] : [cell(description)]),
    code('sh', curl),
    ...(parameters.length === 0 ? [] : ['**Parameters**', fieldTable(parameters)]),
    ...(body.length === 0 ? [] : ['**Body**', fieldTable(body)]),
    ...answers
      .filter(({ status }) => status !== 'default')
      .flatMap(({ status, about, fields }) => [
        `**${status}**: ${cell(about)}`,
        ...(fields.length === 0 || status >= '400' ? [] : [folded(fieldTable(fields))]),
      ]),
  ]
}

function fieldTable(fields: readonly (Described & { readonly place?: string })[]): string {
  return table(
    ['field', 'type', 'meaning'],
    fields.map(({ name, type, about, needed, place }) => [
      inline(name),
      cell(type),
      [needed && place !== undefined ? 'Needed.' : '', cell(sentence(about))].join(' ').trim(),
    ]),
  )
}

function folded(text: string): string {
  return `<details><summary>Fields</summary>\n\n${text}\n\n</details>`
}

// Markdown.

function lines(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}

function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(titles), row(titles.map(() => '---')), ...rows.map(row)].join('\n')
}

function inline(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

/** Nothing in it is Markdown, HTML or a template; flags are shown as code. */
function cell(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign)
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('{', '&#123;')
    .replaceAll('\n', ' ')
    .replaceAll(/--[a-z][a-z-]*/g, '`$&`')
}

function sentence(text: string): string {
  if (text === '') return ''
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?:]$/.test(capital) ? capital : `${capital}.`
}
