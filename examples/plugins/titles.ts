// A format of one's own: the titles of pages as a list in Markdown.
//   jelajah export --plugin ./titles.ts --format titles --out titles.md
import type { Plugin } from 'jelajah'

const plugin: Plugin = {
  name: 'titles',
  exporter: {
    name: 'titles',
    about: 'titles as a list in Markdown',
    ends: ['md'],
    whats: ['pages'],
    takes: ['gzip', 'duplicates'],
    steps: ['minWords'],
    output: () => 'file',
    async write({ target, pages, settle }) {
      const file = await target.append('titles.md')
      for await (const { id, url, title } of pages({ text: false })) {
        const shown = title.replaceAll(/[[\]\\]/g, '\\$&') || url
        await file.write(`- [${shown}](<${url}>)\n`)
        await settle(id)
      }
    },
  },
}
export default plugin
