// People ask for pages in sentences: "I am looking for articles about child health". The part that only asks
// is not the subject, though "page" and "look" are no stop words. It is recognised by its position: it ends
// at the first word such as "about", and contains only stop words and words of asking. So "search engines"
// stays.
import type { StopWords } from '../text/text.ts'
import { tokensWithOffsets } from '../text/tokens.ts'

const ASKING = new Set(
  `look looking search searching find finding show want wanted need get collect collecting crawl gather
   gathering page pages webpage webpages website websites site sites article articles news post posts
   document documents information info topic topics subject subjects related interested
   cari mencari carikan mencarikan temukan menemukan tampilkan kumpulkan mengumpulkan
   halaman laman situs artikel berita tulisan dokumen bacaan informasi
   topik bahasan pembahasan membahas berisi memuat tertarik`.split(/\s+/),
)
const ABOUT = new Set(
  `about on regarding concerning for covering tentang mengenai soal seputar perihal terkait bertema
   bertopik`.split(/\s+/),
)

/** The start of a text's subject: 0, or behind the words that ask for it. */
export function subjectStart(text: string, stopWords: StopWords): number {
  let asks = false
  let start = 0
  for (const { word, end } of tokensWithOffsets(text)) {
    if (ABOUT.has(word)) start = asks ? end : 0
    else if (ASKING.has(word)) asks = true
    else if (!stopWords.has(word)) break
  }
  return start
}
