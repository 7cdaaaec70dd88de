/** Codes of the languages that src/text/language.ts can detect. */
export const LANGUAGE_CODES: readonly string[] = (
  'af am ar az be bg bn bo ca cs da de el en es et eu fa fi fr gl gu he hi hr hu hy id is it ja jv ka kk ' +
  'km kn ko la lo lt lv mk ml mr ms my ne nl no or pa pl pt ro ru si sk sl sq sr su sv sw ta te th tl ' +
  'tr uk ur vi zh'
).split(' ')

/** The code of a tag such as `en-GB`; null for a language that cannot be detected. */
export function languageCode(tag: string): string | null {
  const [code = ''] = tag.trim().toLowerCase().split(/[-_]/)
  return LANGUAGE_CODES.includes(code) ? code : null
}

/** The languages that the dashboard, saved maps and reports speak. */
export const LANGUAGES = ['en', 'id'] as const
export type Language = (typeof LANGUAGES)[number]
