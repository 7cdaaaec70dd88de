// Month names as pages write them: in full, inflected as beside a day, and short. Lower case. A word that
// means different months in two languages has the meaning of the language with more pages.

const NAMES: readonly string[] = [
  // en, de, nl, da, no, sv; id, ms; fr; es; pt; it; pl; cs, sk; tr; ro; hu; fi; ru, uk; el; vi
  'january jan januar jänner januari jänn janv janvier enero ene janeiro gennaio gen ' +
    'stycznia styczeń sty stycz ledna leden januára ocak oca ianuarie ian január tammikuuta ' +
    'января янв январь січня січ ιανουαρίου ιαν',
  'february feb februar feber februari febr pebruari februarie février fevrier févr fev fév febrero ' +
    'fevereiro febbraio lutego luty lut února únor februára şubat şub subat február helmikuuta ' +
    'февраля фев февр февраль лютого лют φεβρουαρίου φεβ',
  'march mar märz mrz maerz mär maart mrt marts mars maret mac marzo março marca marzec martie ' +
    'března březen mart március márc maaliskuuta марта мар март березня бер μαρτίου μαρ',
  'april apr avril avr abril abr aprile kwietnia kwiecień kwi dubna duben apríla nisan nis aprilie ' +
    'április ápr huhtikuuta апреля апр апрель квітня квіт απριλίου απρ',
  'may mai mei maj mayo maio maggio mag maja května květen mája mayıs mayis május máj toukokuuta ' +
    'мая май травня трав μαΐου μαΐ μαϊου',
  'june jun juni juin junio junho giugno giu czerwca czerwiec cze června červen júna haziran haz ' +
    'iunie iun június jún kesäkuuta июня июн июнь червня черв ιουνίου ιουν',
  'july jul juli juillet juil julio julho luglio lug lipca lipiec lip července červenec júla ' +
    'temmuz tem iulie iul július júl heinäkuuta июля июл июль липня лип ιουλίου ιουλ julai',
  'august aug augustus augusti agustus agu agt ags agst ogos août aout agosto ago sierpnia sierpień ' +
    'sie srpna srpen augusta ağustos ağu agustos augusztus elokuuta августа авг август серпня ' +
    'серп αυγούστου αυγ',
  'september sep sept septembre septiembre setiembre setembro set settembre sett września wrzesień ' +
    'wrz září zář septembra eylül eyl eylul septembrie szeptember szept syyskuuta сентября сен сент ' +
    'сентябрь вересня вер σεπτεμβρίου σεπ',
  'october oct oktober okt octobre octubre outubro out ottobre ott października październik ' +
    'paź října říjen októbra ekim eki octombrie október lokakuuta октября окт октябрь жовтня жовт ' +
    'οκτωβρίου οκτ',
  'november nov novembre noviembre novembro listopada listopad lis listopadu novembra kasım kas ' +
    'kasim noiembrie noi marraskuuta ноября ноя нояб ноябрь листопада лист νοεμβρίου νοε nopember',
  'december dec dezember dez desember des decembre décembre déc diciembre dic dezembro dicembre ' +
    'disember dis grudnia grudzień gru prosince prosinec decembra aralık ara aralik decembrie ' +
    'joulukuuta декабря дек декабрь грудня груд δεκεμβρίου δεκ',
]

const MONTHS = new Map<string, number>()
for (const [index, names] of NAMES.entries()) {
  for (const name of names.split(' ')) MONTHS.set(name, index + 1)
}

/** 1 to 12; 0 when the word is not a month. */
export function monthNumber(word: string): number {
  return MONTHS.get(word.toLowerCase()) ?? 0
}

// Abbreviations of time zones that pages print after a time, as minutes ahead of UTC. An ambiguous
// name means the zone that news pages mean.

export const ZONE_MINUTES: ReadonlyMap<string, number> = new Map([
  ['Z', 0],
  ['UTC', 0],
  ['GMT', 0],
  ['WET', 0],
  ['WEST', 60],
  ['BST', 60],
  ['CET', 60],
  ['MEZ', 60],
  ['CEST', 120],
  ['MESZ', 120],
  ['EET', 120],
  ['EEST', 180],
  ['MSK', 180],
  ['IST', 330],
  ['WIB', 420],
  ['WITA', 480],
  ['SGT', 480],
  ['MYT', 480],
  ['HKT', 480],
  ['WIT', 540],
  ['JST', 540],
  ['KST', 540],
  ['AEST', 600],
  ['AEDT', 660],
  ['NZST', 720],
  ['NZDT', 780],
  ['BRT', -180],
  ['ART', -180],
  ['AST', -240],
  ['EDT', -240],
  ['EST', -300],
  ['CDT', -300],
  ['CST', -360],
  ['MDT', -360],
  ['MST', -420],
  ['PDT', -420],
  ['PST', -480],
])

// What a date is the date of, by the words beside it.

export type DateUse = 'published' | 'modified' | ''

const CHANGED =
  /updated|last update|last change|modifi|edited|revised|changed|reviewed|diperbarui|diubah|dimutakhirkan|aktualisiert|geändert|änderung|bearbeitet|zuletzt|mise? à jour|actualiza|atualiza|aggiorna|bijgewerkt|gewijzigd|aktualiz|zmodyfik|güncel|uppdaterad|opdateret|oppdatert|обновл|изменен|更新|수정/i
const PUBLISHED =
  /publi[sckq]|posted|written|created|date\b|datum|veröffentlicht|erschienen|erstellt|gepostet|diterbitkan|terbit|dipublikasi|tayang|tanggal|diposting|yayın|publicad|pubblicat|geplaatst|gepubliceerd|opublikowan|dodano|publicerad|publiceret|publisert|zveřejněno|vydáno|опубликован|дата|発表|公開|발행|입력|发布/i
/** Limits of a label on a line of its own; more words are a sentence, or a name after `reviewed by`. */
const MAX_LABEL = 32
const MAX_LABEL_WORDS = 3

/** By the words before a date; '' when they say nothing. */
export function dateUseOf(words: string): DateUse {
  if (CHANGED.test(words)) return 'modified'
  return PUBLISHED.test(words) ? 'published' : ''
}

/** By a line that may be the label of the next line. */
export function dateUseOfLabel(line: string): DateUse {
  if (line.length > MAX_LABEL || line.split(' ').length > MAX_LABEL_WORDS) return ''
  return dateUseOf(line)
}
