// Lists what the dashboard, saved maps and reports say in English only: messages, crawl options and
// orderings. It is a reminder and no failure.
import { LANGUAGES, missingWords } from '../src/dashboard/i18n/i18n.ts'
import { missingOptionWords } from '../src/dashboard/i18n/option-words.ts'
import { fieldName } from '../src/options/option.ts'
import { crawlOptions } from '../src/options/options.ts'
import { ORDERING_CHOICES } from '../src/ordering/index.ts'

const known = {
  options: crawlOptions(ORDERING_CHOICES).map(({ name }) => ({ name: fieldName(name) })),
  orderings: ORDERING_CHOICES,
}
for (const language of LANGUAGES) {
  const missing = [...missingWords(language), ...missingOptionWords(language, known)]
  if (missing.length > 0) console.log(`Not translated (${language}): ${missing.join(', ')}`)
}
