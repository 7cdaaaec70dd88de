// `jelajah mcp`: tools for a program with a language model, which starts it and speaks to it over stdin and stdout.
import type { Command } from '../command.ts'
import {
  checkedPlugins,
  JOB_AND_CEILING_OPTIONS,
  OWN_OPTIONS,
  parseServe,
  usableMemory,
} from '../serve/serve.ts'

/** Those of `serve` that are not about listening. */
const NAMES = ['jobs', 'connections', 'memory', 'data', 'frontier', 'store-timeout', 'synonyms']
const OPTIONS = OWN_OPTIONS.filter(({ name }) => NAMES.includes(name))

export const command: Command = {
  usage: '[options]',
  options: OPTIONS,
  more: { title: 'For every crawl and page it is asked for:', options: JOB_AND_CEILING_OPTIONS },
  examples: [
    [
      'mcp --data ~/crawls --contact you@example.com',
      'as the command of a server in an MCP client',
    ],
    ['serve', 'has the same tools over HTTP, at POST /mcp'],
  ],
  run: async (argv, around, out) => {
    const options = parseServe(argv, { ...around, memoryBytes: usableMemory() }, OPTIONS)
    const plugins = await checkedPlugins(options, around)
    return (await import('./run-mcp.ts')).runMcp({ ...options, plugins }, out)
  },
}
