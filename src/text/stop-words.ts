// Words too common to tell what a text is about. The lists hold function words only: articles,
// pronouns, prepositions, conjunctions, auxiliaries, the adverbs of every text. A topic's own words
// belong into a file.
import { open } from 'node:fs/promises'
import { InvalidInput } from '../core/errors.ts'
import { primaryLanguage, type StopWords } from './text.ts'
import { tokens } from './tokens.ts'

const ENGLISH = `
  a an the this that these those such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  one ones who whom whose which what whatever whoever whichever someone something anyone anything
  everyone everything nobody nothing none each every either neither both all any some many much
  more most few less least several other others another own same
  and or but nor so yet for if because since unless until while whereas although though as than
  whether that when whenever where wherever why how then thus hence therefore however also too
  of in on at by to from with without within into onto upon about above below over under between
  among through during before after against toward towards across along around behind beside
  besides beyond despite down off out up near per via throughout
  be am is are was were been being have has had having do does did doing done
  can could may might must shall should will would ought need used let
  not no yes never ever always often sometimes usually already still just only even very quite
  rather almost again once here there now today soon later perhaps maybe really well
  get gets got make makes made say says said go goes went come came take took see seen
  i'm i've i'll i'd you're you've you'll you'd he'll he'd she'll she'd we're we've we'll we'd
  they're they've they'll they'd it'll it'd that'll that'd there'll there'd who'll who'd who've
  isn't aren't wasn't weren't haven't hasn't hadn't don't doesn't didn't can't cannot couldn't
  won't wouldn't shan't shouldn't mightn't mustn't needn't ain't`

const INDONESIAN = `
  yang ini itu tersebut sang si para suatu sebuah seorang seseorang sesuatu
  aku saya kami kita kamu engkau kau anda kalian dia ia beliau mereka nya ku mu
  dan atau tetapi tapi namun melainkan sedangkan serta lalu kemudian maka karena sebab sehingga
  agar supaya jika jikalau kalau apabila bila bilamana andai meski meskipun walau walaupun
  biarpun sementara ketika saat sewaktu sambil selama sejak hingga sampai setelah sesudah sebelum
  seandainya asalkan padahal bahwa seperti bagai bagaikan sebagai sebagaimana ibarat daripada
  di ke dari pada kepada dalam dengan tanpa untuk bagi demi guna oleh terhadap tentang mengenai
  antara atas bawah depan belakang luar dekat sekitar menurut akibat melalui lewat secara
  adalah ialah merupakan yaitu yakni ada adanya berada menjadi jadi terjadi
  akan telah sudah sedang masih belum pernah tengah baru bakal mau ingin hendak
  bisa dapat mampu boleh harus mesti wajib perlu usah jangan
  tidak tak tiada bukan ya tidaklah bukanlah
  apa apakah siapa siapakah mana kapan mengapa kenapa bagaimana berapa dimana kemana
  sini situ sana disini disitu disana begini begitu demikian sekarang kini nanti tadi kemarin
  semua seluruh segala setiap tiap masing sebagian beberapa banyak sedikit lebih kurang paling
  sangat amat sekali terlalu cukup agak hampir hanya cuma saja juga pun lagi pula bahkan malah
  justru memang tentu pasti mungkin barangkali sering kadang selalu kembali sendiri saling
  lain lainnya sama satu dua per lah kah sih deh dong kok toh nah
  dll dsb dst yg dgn utk tdk dr pd krn sdh jg`

const LISTS: Readonly<Record<string, StopWords>> = {
  en: new Set(ENGLISH.trim().split(/\s+/)),
  id: new Set(INDONESIAN.trim().split(/\s+/)),
}
const NO_WORDS: StopWords = new Set()

/** The stop words of a language by its tag; none where there is no list. */
export function stopWordsFor(language: string): StopWords {
  return LISTS[primaryLanguage(language)] ?? NO_WORDS
}

/** Far more than any list has, and little enough to read at once. */
const MAX_FILE_BYTES = 1 << 20

/** A list from a file: one word per line, from # on a remark. Throws InvalidInput. */
export async function loadStopWords(file: string): Promise<StopWords> {
  const bytes = await readStart(file)
  if (bytes.length > MAX_FILE_BYTES) {
    throw new InvalidInput(file, `${file}: more than 1 MiB is not a list of stop words`)
  }
  return parseStopWords(bytes, file)
}

/** The words in the text of such a file, in the form tokens() gives them. */
export function parseStopWords(bytes: Uint8Array, file: string): StopWords {
  const words = new Set<string>()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (const [index, line] of splitLines(bytes).entries()) {
    let text: string
    try {
      text = decoder.decode(line)
    } catch {
      throw refused(file, index, 'not UTF-8 text')
    }
    if (text.includes('\0')) throw refused(file, index, 'not a text')
    for (const word of tokens(text.replace(/#.*/, ''))) words.add(word)
  }
  return words
}

function refused(file: string, index: number, what: string): InvalidInput {
  return new InvalidInput(file, `${file} line ${index + 1}: ${what}`)
}

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(0x0a, start)
    const end = found < 0 ? bytes.length : found
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return lines
}

/** At most one byte more than allowed: a device or a pipe has no size to ask for. */
async function readStart(file: string): Promise<Uint8Array> {
  const room = Buffer.alloc(MAX_FILE_BYTES + 1)
  let length = 0
  try {
    await using handle = await open(file)
    for (let read = 1; read > 0 && length < room.length; length += read) {
      read = (await handle.read(room, length, room.length - length)).bytesRead
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new InvalidInput(file, `${file}: cannot be read (${reason})`)
  }
  return room.subarray(0, length)
}
