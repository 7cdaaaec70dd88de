// Pages as Markdown, for people, static sites and language models: a file for each page, with what is known of
// it as front matter (YAML), and one file with all of them, a JSON object per line.
import { InvalidInput } from '../core/errors.ts'
import { fieldsObject } from '../core/field-rules.ts'
import { jsonLine } from '../lib/json-line.ts'
import type { WholePage } from '../store/page-reader.ts'
import { type Exporter, STEP_NAMES } from './exporter.ts'
import { idIn, pageFileName } from './text-corpus.ts'

export const markdown: Exporter = {
  name: 'markdown',
  about:
    'main contents as Markdown: a file for each page, and all in pages.ndjson; of crawls with --keep markdown',
  ends: ['md'],
  whats: ['pages'],
  takes: ['gzip', 'duplicates'],
  steps: STEP_NAMES.filter((name) => name !== 'withoutBoilerplate'),
  output: () => 'folder',
  async write(job) {
    const { target, kept } = job
    const last = Number(kept?.last ?? 0)
    let written = Number(kept?.written ?? 0)
    // Files written after the last checkpoint: some may not be written again.
    await target.sweep((name) => (idIn(name, 'md') ?? 0) > last)
    const all = await target.append('pages.ndjson')
    for await (const page of job.pages({ markdown: true, parts: ['fields'] })) {
      if (page.markdown === '') job.count('without_markdown')
      else {
        written++
        const file = pageFileName(page.id, page.url, 'md')
        await target.put(file, `${frontMatter(page)}${page.markdown}\n`)
        await all.write(jsonLine({ ...factsOf(page), id: page.id, file, markdown: page.markdown }))
      }
      await job.settle(page.id, async () => ({ last: page.id, written }))
    }
    if (written === 0) throw new InvalidInput('--format markdown', NONE)
  },
}

const NONE =
  'needs pages with their Markdown, which this crawl did not keep: crawl again with --keep markdown --fresh'

function factsOf(page: WholePage) {
  const { url, title, description, author, language, kind, publishedDay, fetchedAt } = page
  const fetched = new Date(fetchedAt).toISOString()
  const fields = page.parts.fields && { fields: fieldsObject(page.parts.fields) }
  return {
    ...{ url, title, description, author, language, kind, published: publishedDay, fetched },
    ...fields,
  }
}

/** A JSON text is a YAML text: nothing of a page can become another key or the end of it. */
function frontMatter(page: WholePage): string {
  const facts = Object.entries(factsOf(page)).filter(([, value]) => value !== null && value !== '')
  const lines = facts.map(([name, value]) => `${name}: ${jsonLine({ value }).slice(9, -2)}`)
  return ['---', ...lines, '---', '', ''].join('\n')
}
