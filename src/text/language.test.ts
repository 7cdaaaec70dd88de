import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGE_CODES } from '../core/languages.ts'
import { detectLanguage, pickLanguage, SCRIPTS } from './language.ts'
import { COMMON_WORDS_OF } from './language-votes.ts'
import { tokens } from './tokens.ts'

const TEXTS: Readonly<Record<string, string>> = {
  en: 'The town council has decided that the old bridge will be closed for repairs until the end of the year, and they have asked drivers to use another road.',
  id: 'Pemerintah kota telah memutuskan bahwa jembatan lama itu akan ditutup untuk perbaikan hingga akhir tahun, dan warga bisa memakai jalan lain karena ada petugas.',
  ms: 'Majlis bandar telah memutuskan bahawa jambatan lama itu akan ditutup untuk kerja pembaikan sehingga akhir tahun, dan orang ramai boleh menggunakan jalan lain kerana ada polis sahaja.',
  de: 'Der Stadtrat hat beschlossen, dass die alte Brücke bis zum Ende des Jahres für Reparaturen geschlossen wird, und die Fahrer sollen eine andere Straße nehmen.',
  fr: "Le conseil de la ville a décidé que le vieux pont sera fermé pour des travaux jusqu'à la fin de l'année, et les conducteurs doivent prendre une autre route.",
  es: 'El consejo de la ciudad ha decidido que el viejo puente estará cerrado por obras hasta el final del año, y los conductores deben tomar otra carretera.',
  pt: 'O conselho da cidade decidiu que a velha ponte ficará fechada para obras até ao fim do ano, e os condutores não podem passar por ela.',
  nl: 'De gemeenteraad heeft besloten dat de oude brug tot het einde van het jaar dicht is voor herstel, en dat de mensen een andere weg moeten nemen.',
  pl: 'Rada miasta zdecydowała, że stary most będzie zamknięty do końca roku i że kierowcy nie mogą przez niego jechać, ale jest też inna droga.',
  ru: 'Городской совет решил, что старый мост будет закрыт на ремонт до конца года, и все водители должны ехать по другой дороге.',
  uk: 'Міська рада вирішила, що старий міст буде закрито на ремонт до кінця року, і водії мають їхати іншою дорогою, але це не так далеко.',
  ar: 'قرر مجلس المدينة أن الجسر القديم سوف يغلق حتى نهاية العام من أجل الإصلاح على أن يستخدم السائقون طريقا آخر في هذا الوقت',
  hi: 'नगर परिषद ने तय किया है कि पुराना पुल साल के अंत तक बंद रहेगा और लोगों को दूसरी सड़क से जाना होगा',
  ja: '市議会は、古い橋を年末まで修理のために閉鎖することを決めました。',
  zh: '市议会决定旧桥将关闭维修至年底，司机需要改走其他道路。',
  ko: '시의회는 오래된 다리를 연말까지 수리를 위해 폐쇄하기로 결정했습니다.',
  th: 'สภาเมืองตัดสินใจปิดสะพานเก่าเพื่อซ่อมแซมจนถึงสิ้นปี',
  el: 'Το δημοτικό συμβούλιο αποφάσισε ότι η παλιά γέφυρα θα κλείσει.',
}

for (const [language, text] of Object.entries(TEXTS)) {
  test(`a text in ${language} is known as such`, () => {
    const found = detectLanguage(text)
    assert.equal(found.language, language)
    assert.ok(found.confidence > 0.25 && found.confidence <= 1)
  })
}

test('too little to tell, or nothing that is language, gives none', () => {
  const cases = ['', ' ', 'a', 'Home', 'Contact Login', '12 345 678', '\0\0', '\ud800', '😀😀😀']
  for (const text of [...cases, 'Xq zrrt kwwp brx', 'x = y + z;'.repeat(20)]) {
    assert.deepEqual(detectLanguage(text), { language: '', confidence: 0 }, JSON.stringify(text))
  }
})

test('half of this and half of that is not said to be sure', () => {
  const mixed = `${TEXTS.en}\n${TEXTS.id}\n`.repeat(5)
  assert.ok(detectLanguage(mixed).confidence < 0.8)
})

test('a header in another language does not decide', () => {
  const header = 'Home About us Contact the team and all of our services for you. '.repeat(6)
  assert.equal(detectLanguage(header + TEXTS.id!.repeat(12)).language, 'id')
})

test('one word a thousand times is not a language', () => {
  assert.equal(detectLanguage('de '.repeat(1000)).language, '')
})

test('five megabytes are answered from a sample', () => {
  assert.equal(detectLanguage('x'.repeat(5_000_000)).language, '')
  assert.equal(detectLanguage(TEXTS.de!.repeat(30_000)).language, 'de')
})

test('the text is believed more than the page where it is clear', () => {
  const sure = { language: 'id', confidence: 0.9 }
  assert.equal(pickLanguage('en-US', sure), 'id')
  assert.equal(pickLanguage('', sure), 'id')
  assert.equal(pickLanguage('undefined', sure), 'id')
})

test('the page is believed where the text says little', () => {
  assert.equal(pickLanguage('en_us', { language: '', confidence: 0 }), 'en-US')
  assert.equal(pickLanguage('de', { language: 'nl', confidence: 0.3 }), 'de')
  assert.equal(pickLanguage('nonsense!', { language: '', confidence: 0 }), '')
})

test('region and script stay where both agree', () => {
  assert.equal(pickLanguage('EN-gb', { language: 'en', confidence: 0.4 }), 'en-GB')
  assert.equal(pickLanguage('zh-hant-tw', { language: 'zh', confidence: 1 }), 'zh-Hant-TW')
  assert.equal(pickLanguage('in-ID', { language: 'id', confidence: 1 }), 'id-ID')
  assert.equal(pickLanguage('nb-NO', { language: 'no', confidence: 1 }), 'nb-NO')
})

test('Malay that says so is not called Indonesian for want of a telling word', () => {
  assert.equal(pickLanguage('ms-MY', { language: 'id', confidence: 0.8 }), 'ms-MY')
  assert.equal(pickLanguage('ms-MY', { language: 'id', confidence: 1 }), 'id')
})

test('the codes that a user may name are those that can be told', () => {
  const ofScripts = SCRIPTS.filter((script) => /^[a-z]{2}$/.test(script))
  const told = [...Object.keys(COMMON_WORDS_OF), ...ofScripts, 'ja', 'zh']
  assert.deepEqual(LANGUAGE_CODES, [...new Set(told)].sort())
})

test('the lists of common words hold them as texts yield them', () => {
  for (const list of Object.values(COMMON_WORDS_OF)) assert.deepEqual(tokens(list), list.split(' '))
})
