// What the words beside a date say it is the date of.

export type DateUse = 'published' | 'modified' | ''

const CHANGED =
  /updated|last update|last change|modifi|edited|revised|changed|reviewed|diperbarui|diubah|dimutakhirkan|aktualisiert|geändert|änderung|bearbeitet|zuletzt|mise? à jour|actualiza|atualiza|aggiorna|bijgewerkt|gewijzigd|aktualiz|zmodyfik|güncel|uppdaterad|opdateret|oppdatert|обновл|изменен|更新|수정/i
const PUBLISHED =
  /publi[sckq]|posted|written|created|date\b|datum|veröffentlicht|erschienen|erstellt|gepostet|diterbitkan|terbit|dipublikasi|tayang|tanggal|diposting|yayın|publicad|pubblicat|geplaatst|gepubliceerd|opublikowan|dodano|publicerad|publiceret|publisert|zveřejněno|vydáno|опубликован|дата|発表|公開|발행|입력|发布/i
/** Of a label on a line of its own; more words are a sentence, or a name behind `reviewed by`. */
const MAX_LABEL = 32
const MAX_LABEL_WORDS = 3

/** By the words before a date; '' when they say nothing. */
export function useNamed(words: string): DateUse {
  if (CHANGED.test(words)) return 'modified'
  return PUBLISHED.test(words) ? 'published' : ''
}

/** By a line that may be the label of the next. */
export function useLabelled(line: string): DateUse {
  if (line.length > MAX_LABEL || line.split(' ').length > MAX_LABEL_WORDS) return ''
  return useNamed(line)
}
