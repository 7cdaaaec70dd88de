/** Words of one Indonesian family each: who asks for the first must find the second. */
export const FAMILIES: readonly (readonly [asked: string, found: string])[] = [
  ['menulis', 'ditulis'],
  ['penulis', 'ditulis'],
  ['penelitian', 'meneliti'],
  ['pemain', 'bermain'],
  ['pengiriman', 'dikirimkan'],
  ['menerima', 'diterima'],
]
