// Lists what the dashboard, saved maps and reports say in English only. It is a reminder and no failure.
import { LANGUAGES, missingWords } from '../src/dashboard/i18n/i18n.ts'

for (const language of LANGUAGES) {
  const missing = missingWords(language)
  if (missing.length > 0) console.log(`Not translated (${language}): ${missing.join(', ')}`)
}
