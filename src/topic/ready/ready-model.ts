// The model of the ready topics, as the text of a model file. training/topics/ makes it and has the texts.
import { brotliDecompressSync } from 'node:zlib'
import { MODEL } from './model.ts'

/** The same text that `jelajah train` writes to a file. */
export function readyModel(): string {
  return brotliDecompressSync(Buffer.from(MODEL, 'base64')).toString('utf8')
}
