import { stemmerFor } from '../../src/text/stem.ts'
import { stopWordsFor } from '../../src/text/stop-words.ts'
import { TermReader } from '../../src/text/terms.ts'
import type { StopWords } from '../../src/text/text.ts'

/** A reader for texts of one language, by its tag; other stop words may be given. */
export function createTermReader(language: string, stopWords?: StopWords): TermReader {
  return new TermReader({
    stem: stemmerFor(language),
    stopWords: stopWords ?? stopWordsFor(language),
  })
}
