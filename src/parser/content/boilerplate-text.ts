// Sentences that many sites repeat and that read like content: consent to cookies, and lines that lead
// elsewhere.
//
// Removes sentences about cookies and consent that are in no element named for it (choose-blocks.ts
// handles those). They are whole sentences, so the forest takes them for content, but they are much
// the same everywhere.
import type { HtmlReading } from '../html/html-reader.ts'

/** Every such sentence has one of these. Whole pages are searched for them, so they are few. */
const NEEDLES = ['ookie', 'activity on this service', 'access information on']
/** No other text says this. */
const CONSENT =
  /\bthese cookies\b[^.]{0,100}\b(?:website|sites?|visitors?|visits|information|necessary|functionality|advertis\w+|settings|services)\b|\bcookies and (?:similar|other) (?:\w+ )?(?:technologies|tools|identifiers)|\bstrictly necessary cookies\b|\bstore and\/or access information on (?:a|your) device|\binformation about your activity on this service|\buses? (?:\w+ ){0,3}cookies (?:\w+ ){0,3}(?:to|for)\b[^.]{0,100}\b(?:experience|traffic|advertis\w+|ads)\b/i
/** Manuals say this, too, and bakers do: it counts in a short block, and at either end of the text. */
const USE =
  /\b(?:we|this (?:web)?site|our (?:web)?site)\b[^.]{0,80}\b(?:use|uses|set|store)s? (?:\w+ ){0,3}cookies\b|\b(?:kami|situs ini|website ini) menggunakan (?:\w+ )?cookie|\bwir (?:verwenden|nutzen|setzen) (?:\w+ ){0,3}cookies\b/i
/** Cookies of browsers. */
const OF_A_SITE =
  /\b(?:(?:web)?sites?|browser|browsing|devices?|experience|consent|accept|agree|privacy|policy|analy\w+|advertis\w+|ads|traffic|personali[sz]\w*|tracking|visits?|visitors?|preferences|third[- ]party|situs|laman|pengalaman|perangkat|seiten?|webseiten?|nutzung|erlebnis|zustimm\w+|einwillig\w+)\b/i
/** The labels of buttons and links; they count in a short block. */
const LABEL =
  /\b(?:accept|reject|manage|allow) (?:all |your )?cookies?\b|\bcookie (?:policy|preferences|settings|consent)\b/i
const SHORT_BYTES = 200
/** The title of a page about cookies. */
const ABOUT = /cookie|privacy|privasi|datenschutz|gdpr|consent|tracking/i
const MAX_BYTES = 1200
/** If they are more than this share of the chosen text, they are the content. */
const MAX_SHARE = 0.5

/** Removes such blocks from the chosen ones. */
export function removeConsentText(
  { outline: { blocks }, text }: Pick<HtmlReading, 'outline' | 'text'>,
  chosen: Uint8Array,
  title: string,
): void {
  if (ABOUT.test(title)) return
  const rows = [...blocksWith(text.bytes, blocks)].filter((row) => chosen[row] === 1)
  if (rows.length === 0) return
  const ends = [chosen.indexOf(1), chosen.lastIndexOf(1, blocks.count - 1)]
  const surenesses = rows.map((row) => {
    const from = blocks.textFrom[row] ?? 0
    const to = blocks.textTo[row] ?? 0
    return to - from > MAX_BYTES ? 0 : consentIn(text.slice(from, to), ends.includes(row))
  })
  // Without a sure sentence, a page that mentions cookies elsewhere is about them.
  if (!surenesses.includes(SURE) && surenesses.includes(0)) return
  const found = rows.filter((_, at) => surenesses[at] !== 0)
  const size = (row: number): number => (blocks.textTo[row] ?? 0) - (blocks.textFrom[row] ?? 0)
  let all = 0
  for (let row = 0; row < blocks.count; row++) all += chosen[row] === 1 ? size(row) : 0
  const bytes = found.reduce((sum, row) => sum + size(row), 0)
  if (bytes > MAX_SHARE * all) return
  for (const row of found) chosen[row] = 0
}

const SURE = 2

/** Whether a block asks for consent: 0 for no, 1 for likely, or SURE. */
function consentIn(text: string, isEnd: boolean): number {
  if (CONSENT.test(text)) return SURE
  const isShort = text.length < SHORT_BYTES
  if (isShort && LABEL.test(text)) return 1
  return (isShort || isEnd) && USE.test(text) && OF_A_SITE.test(text) ? 1 : 0
}

type Blocks = HtmlReading['outline']['blocks']

function blocksWith(bytes: Buffer, blocks: Blocks): Set<number> {
  const rows = new Set<number>()
  for (const needle of NEEDLES) {
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at)) {
      const row = blockAt(blocks, at)
      if (row >= 0) rows.add(row)
      at = Math.max(at + needle.length, row < 0 ? 0 : (blocks.textTo[row] ?? 0))
    }
  }
  return rows
}

/** The block at an offset of the text; -1 for none. */
function blockAt({ count, textFrom, textTo }: Blocks, at: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((textTo[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low < count && (textFrom[low] ?? 0) <= at ? low : -1
}

const OPENINGS =
  /^\W{0,4}(?:baca juga|baca (?:pula|selengkapnya)|lihat juga|simak (?:juga|pula)|artikel terkait|berita terkait|pilihan editor|read (?:also|more|next|this)|also read|more on this|related(?: (?:articles?|stories|story|posts?|news))?:|recommended(?: reading)?:|lesen sie auch|auch interessant|mehr zum thema|lire aussi|à lire aussi|lee también|lea también|te puede interesar|leia (?:também|mais)|leggi anche|lees ook|czytaj (?:też|także)|läs (?:också|även|mer)|les også|læs også|ayrıca oku|читайте также)/iu
/** `Dapatkan update berita … di grup Telegram`: an invitation to follow the site elsewhere. */
const INVITATION =
  /^\W{0,4}(?:dapatkan (?:update|informasi|berita|kabar)|ikuti (?:berita|update|kabar|saluran|channel|kami|terus)|simak (?:berita|breaking news|kumpulan)|cek (?:berita|artikel)|(?:yuk|mari),? (?:ikuti|gabung|bergabung)|follow us|join (?:our|us)|sign up (?:for|to) (?:our|the)|subscribe to (?:our|the)|folgen sie uns|suivez[- ]nous|síguenos|siga[- ]nos)\b.{0,300}\b(?:telegram|whatsapp|wa channel|google (?:news|berita)|newsletters?|instagram|youtube|tiktok|facebook|twitter|linkedin|aplikasi)\b/isu
/** Enough for the openings. */
const HEAD_BYTES = 48
const MAX_LINE_BYTES = 400
/** With a smaller share of link text it is a sentence that happens to begin so. */
const MIN_LINK_SHARE = 0.3

/**
 * Removes "Read also: …", "Follow us on …" and similar lines between two paragraphs that lead elsewhere
 * from the chosen ones. They are in the middle of the text and written like it, so only their first words
 * give them away.
 */
export function removeReadAlso(
  { outline: { blocks }, text }: Pick<HtmlReading, 'outline' | 'text'>,
  chosen: Uint8Array,
): void {
  const page = text.bytes
  for (let row = 0; row < blocks.count; row++) {
    if (chosen[row] !== 1) continue
    const from = blocks.textFrom[row] ?? 0
    const bytes = (blocks.textTo[row] ?? 0) - from
    if (bytes > MAX_LINE_BYTES) continue
    const isLinked =
      (blocks.linkBytes[row] ?? 0) >= MIN_LINK_SHARE * bytes && blocks.links[row] !== 0
    if (isLinked && OPENINGS.test(text.slice(from, from + Math.min(bytes, HEAD_BYTES)))) {
      chosen[row] = 0
    } else if (mayInvite(page, from) && INVITATION.test(text.slice(from, from + bytes))) {
      chosen[row] = 0
    }
  }
}

/** How invitations begin: most lines begin otherwise, and need no further check. */
const BEGINNINGS = new Set(
  ['da', 'ik', 'si', 'ce', 'yu', 'ma', 'fo', 'jo', 'su', 'sí'].map((letters) =>
    pairOf(Buffer.from(letters), 0),
  ),
)
/** `"`, `(` and the first byte of `“`. */
const QUOTES = new Set([0x22, 0x28, 0xe2])

function mayInvite(bytes: Uint8Array, from: number): boolean {
  return QUOTES.has(bytes[from] ?? 0) || BEGINNINGS.has(pairOf(bytes, from))
}

/** Two bytes as one number, without the case of letters. */
function pairOf(bytes: Uint8Array, from: number): number {
  return (((bytes[from] ?? 0) | 32) << 8) | (bytes[from + 1] ?? 0) | 32
}
