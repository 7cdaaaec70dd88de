// Names of months as pages write them: in full, inflected as they stand beside a day, and short.
// Lower case. Where two languages mean different months by one word, the one with more pages won.

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

/** 1 to 12; 0 when the word is no month. */
export function monthOf(word: string): number {
  return MONTHS.get(word.toLowerCase()) ?? 0
}
