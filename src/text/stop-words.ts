// Words too common to say what a text is about. The lists contain function words only: articles, pronouns,
// prepositions, conjunctions, auxiliaries, common adverbs. Words specific to a topic belong in a file.
import { BOTH_LANGUAGES, primaryLanguage, type StopWords } from './text.ts'

const ENGLISH = `
  a an the this that these those such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  one ones who whom whose which what whatever whoever whomever whichever whatsoever
  someone something somebody anyone anything anybody everyone everything everybody nobody nothing
  none each every either neither both all any some many much lot lots enough various
  more most few fewer less least several other others another own same else
  and or but nor so yet for if because since unless until till while whilst whereas although though
  as than like unlike whether that when whenever where wherever why how then thus hence therefore
  however also too instead otherwise moreover furthermore nevertheless nonetheless indeed likewise
  of in on at by to from with without within into onto upon unto about above below over under between
  among amongst amid amidst through during before after against toward towards across along alongside
  around behind beneath beside besides beyond despite down off out up near per via throughout versus
  vs except regarding concerning according together apart aside away ago
  be am is are was were been being become becomes became becoming seem seems seemed seeming
  have has had having do does did doing done
  can could may might must shall should will would ought need used using let
  not no yes never ever always often sometimes sometime usually already still just only even very
  quite rather almost nearly again once here there now today soon later perhaps maybe probably possibly
  really well somehow somewhat somewhere anyhow anyway anywhere everywhere nowhere elsewhere further
  mainly mostly merely simply namely especially particularly respectively regardless etc eg ie
  thereby therein thereof thereafter hereby herein whereby wherein afterwards beforehand
  get gets got gotten getting make makes made making say says said saying go goes went going gone
  come comes came coming take takes took taken taking see seen give gives gave given giving put puts
  i'm i've i'll i'd you're you've you'll you'd he'll he'd she'll she'd we're we've we'll we'd
  they're they've they'll they'd it'll it'd that'll that'd there'll there'd who'll who'd who've
  isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't can't cannot couldn't
  won't wouldn't shan't shouldn't mightn't mustn't needn't ain't could've should've would've
  im ive dont doesnt didnt isnt arent wasnt werent havent hasnt hadnt cant couldnt wouldnt shouldnt
  youre youve theyre theyve thats whats`

const INDONESIAN = `
  yang ini itu tersebut sang si para suatu sebuah seorang seseorang sesuatu sekian sejumlah
  aku saya kami kita kamu engkau kau anda kalian dia ia beliau mereka nya ku mu
  dan atau tetapi tapi namun melainkan sedangkan serta seraya lalu kemudian maka karena sebab sehingga
  agar supaya jika jikalau kalau apabila bila bilamana manakala andai andaikan seandainya sekiranya
  meski walau biar kendati sekali sementara ketika kala saat sewaktu semasa sambil selama sejak semenjak
  hingga sampai setelah sesudah seusai usai sebelum sepanjang seiring asalkan padahal bahwa bahwasanya
  adapun seperti bagai bagaikan sebagai sebagaimana sebagainya ibarat seolah seakan daripada selain kecuali
  apalagi lagipula bersama beserta
  di ke dari pada kepada dalam dengan tanpa untuk buat bagi demi guna oleh terhadap tentang mengenai
  seputar perihal terkait berkaitan berkenaan antara diantara antar atas bawah depan belakang luar
  dekat sekitar menurut akibat melalui lewat secara berdasarkan sesuai hal selaku sesama
  adalah ialah merupakan yaitu yakni misal misalkan ada berada terdapat menjadi jadi terjadi punya
  mempunyai memiliki termasuk terdiri berupa
  akan telah sudah sedang masih belum pernah tengah baru bakal bakalan mau ingin hendak sempat segera
  bisa dapat mampu boleh harus mesti wajib perlu usah jangan mari ayo tolong
  tidak tak tiada bukan ya
  apa siapa mana kapan mengapa kenapa bagaimana berapa seberapa dimana kemana entah
  sini situ sana disini disitu disana begini begitu demikian sedemikian sekarang kini nanti tadi kemarin
  dulu dahulu berikut selanjutnya seterusnya akhirnya semula mulanya
  semua seluruh segala setiap tiap masing sebagian beberapa berbagai banyak sebanyak sedikit lebih kurang
  paling terlebih terutama khususnya umumnya biasanya tertentu semacam serupa
  sangat amat terlalu cukup agak hampir nyaris hanya cuma sekadar saja juga pun lagi pula bahkan malah
  malahan justru memang tentu pasti mungkin barangkali kira rupanya tampaknya ternyata sebenarnya
  sebetulnya sebaiknya sebaliknya seharusnya setidaknya sedikitnya sering kadang selalu kembali sendiri
  saling makin semakin tetap terus turut sekaligus sekalian semata selagi sekejap sesekali
  lain sama satu dua per lah kah sih deh dong kok toh nah wah oh ok anu
  katanya ujarnya ucapnya tuturnya ungkapnya jelasnya
  nggak enggak ngga gak udah aja doang banget gitu gini nih tuh kayak karna kalo
  dll dsb dst dkk yg dgn utk tdk dr pd krn sdh jg tsb ttg spt dlm sbg`

/** Particles and the possessive may follow any function word: "apakah", "itulah", "adanya". */
const ENCLITICS = ['lah', 'kah', 'pun', 'nya']
/** With shorter hosts other words result: "ke" and "lah" make a fish. */
const MIN_HOST = 3
/** Such forms that are words of their own: "makalah" is a paper. */
const OWN_WORDS = new Set(['makalah'])

const LISTS: Readonly<Record<string, StopWords>> = {
  en: new Set(wordsIn(ENGLISH)),
  id: new Set(wordsIn(INDONESIAN).flatMap((word) => [word, ...withEnclitics(word)])),
}
const NO_WORDS: StopWords = new Set()
const ALL: StopWords = new Set(Object.values(LISTS).flatMap((list) => [...list]))

function wordsIn(list: string): string[] {
  return list.trim().split(/\s+/)
}

function withEnclitics(word: string): string[] {
  if (word.length < MIN_HOST) return []
  return ENCLITICS.map((enclitic) => word + enclitic).filter((form) => !OWN_WORDS.has(form))
}

/** The stop words of a language by its tag; empty if there is no list. */
export function stopWordsFor(language: string): StopWords {
  if (language === BOTH_LANGUAGES) return ALL
  return LISTS[primaryLanguage(language)] ?? NO_WORDS
}

/** Whether a lower-cased word is a stop word in any language that has a list. */
export function isStopWord(word: string): boolean {
  return ALL.has(word)
}

/** The stop words of all languages, and the user's own. Both are lower-cased. */
export function allStopWords(own: Iterable<string> = NO_WORDS): StopWords {
  const words = [...own]
  return words.length === 0 ? ALL : new Set([...ALL, ...words])
}
