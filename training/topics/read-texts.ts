// The labelled texts of the ready topics: one text per line, one file per language and topic.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LabelledText } from '../../src/topic/labelled-texts.ts'

const HERE = import.meta.dirname
const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]

/** In the order of languages and file names, so that training always sees the same. */
export function readTopicTexts(languages: readonly Language[] = LANGUAGES): LabelledText[] {
  return languages.flatMap((language) => {
    const folder = join(HERE, language)
    return readdirSync(folder)
      .sort()
      .flatMap((file) => {
        const lines = readFileSync(join(folder, file), 'utf8').split('\n')
        const label = file.replace(/\.txt$/, '')
        return lines.filter((text) => text.trim() !== '').map((text) => ({ text, label }))
      })
  })
}
