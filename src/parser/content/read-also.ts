// "Read also: …", "Follow us on …" and their like: a line between two paragraphs that leads elsewhere. It stands in the
// middle of the text and is written like it, so nothing but its first words gives it away.
import type { HtmlReading } from '../html/html-reader.ts'

const OPENINGS =
  /^\W{0,4}(?:baca juga|baca (?:pula|selengkapnya)|lihat juga|simak (?:juga|pula)|artikel terkait|berita terkait|pilihan editor|read (?:also|more|next|this)|also read|more on this|related(?: (?:articles?|stories|story|posts?|news))?:|recommended(?: reading)?:|lesen sie auch|auch interessant|mehr zum thema|lire aussi|à lire aussi|lee también|lea también|te puede interesar|leia (?:também|mais)|leggi anche|lees ook|czytaj (?:też|także)|läs (?:också|även|mer)|les også|læs også|ayrıca oku|читайте также)/iu
/** `Dapatkan update berita … di grup Telegram`: an invitation to hear from the site elsewhere. */
const INVITATION =
  /^\W{0,4}(?:dapatkan (?:update|informasi|berita|kabar)|ikuti (?:berita|update|kabar|saluran|channel|kami|terus)|simak (?:berita|breaking news|kumpulan)|cek (?:berita|artikel)|(?:yuk|mari),? (?:ikuti|gabung|bergabung)|follow us|join (?:our|us)|sign up (?:for|to) (?:our|the)|subscribe to (?:our|the)|folgen sie uns|suivez[- ]nous|síguenos|siga[- ]nos)\b.{0,300}\b(?:telegram|whatsapp|wa channel|google (?:news|berita)|newsletters?|instagram|youtube|tiktok|facebook|twitter|linkedin|aplikasi)\b/isu
/** What the openings need. */
const HEAD_BYTES = 48
const MAX_BYTES = 400
/** Less of it inside links is a sentence that happens to begin so. */
const MIN_LINK_SHARE = 0.3

/** Takes such lines out of the chosen ones. */
export function leaveOutReadAlso(
  { outline: { blocks }, text }: Pick<HtmlReading, 'outline' | 'text'>,
  chosen: Uint8Array,
): void {
  for (let row = 0; row < blocks.count; row++) {
    if (chosen[row] !== 1) continue
    const from = blocks.textFrom[row] ?? 0
    const bytes = (blocks.textTo[row] ?? 0) - from
    if (bytes > MAX_BYTES) continue
    const isLinked =
      (blocks.linkBytes[row] ?? 0) >= MIN_LINK_SHARE * bytes && blocks.links[row] !== 0
    if (isLinked && OPENINGS.test(text.slice(from, from + Math.min(bytes, HEAD_BYTES)))) {
      chosen[row] = 0
    } else if (mayInvite(text.bytes, from) && INVITATION.test(text.slice(from, from + bytes))) {
      chosen[row] = 0
    }
  }
}

/** With which letters invitations begin: most lines need not be looked at. */
const FIRST_LETTERS = new Set(Buffer.from('dDiIsScCyYmMfFjJgG"“('))

function mayInvite(bytes: Uint8Array, from: number): boolean {
  return FIRST_LETTERS.has(bytes[from] ?? 0)
}
