// Adds the time it takes to read a page, drops pages without a sentence, and tidies titles up.
//   jelajah crawl https://example.com --plugin ./reading-time.ts
import type { Plugin } from 'jelajah'

const WORDS_PER_MINUTE = 220

const plugin: Plugin = {
  name: 'reading-time',
  version: '1.0.0',
  parsed({ title, contentText }) {
    const words = contentText.split(/\s+/).filter(Boolean).length
    if (words < 5) return { drop: `only ${words} words` }
    const minutes = Math.max(1, Math.round(words / WORDS_PER_MINUTE))
    // `Tea | The Kitchen` is about tea.
    return { title: title.split(' | ')[0] ?? title, fields: { words, minutes } }
  },
}
export default plugin
