// Pages as a parser saves them: 4 kB of text, 60 links, a receipt.
import type { PageToSave } from '../../src/store/page-store.ts'
import { sample } from '../../test/contract/sample-page.ts'

const TEXT = 'Clear words about a thing that people search for. '.repeat(80)
const LINKS = 60
const RECEIPT = new Uint8Array(LINKS * 70)

/** No two batches of other names have a page in common. */
export function batchOfPages(size: number, name: readonly number[]): PageToSave[] {
  return Array.from({ length: size }, (_, at) => {
    const words = [...name, at].join('-')
    const url = `http://host-${at % 50}.test/section/${at % 7}/page-${words}`
    const links = JSON.stringify(
      Array.from({ length: LINKS }, (_, n) => [`${url}/link-${n}`, `anchor text ${n}`, '']),
    )
    const contentHash = hashOf(words)
    const changes = { contentHash, contentText: `${words} ${TEXT}` }
    return sample(url, changes, { parts: { links, images: '[]' }, receipt: RECEIPT })
  })
}

function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const char of text) {
    hash = ((hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn
  }
  return hash.toString(16).padStart(16, '0')
}
