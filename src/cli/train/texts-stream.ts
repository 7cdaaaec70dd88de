// A file of texts, or stdin, as a stream.
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { TextsFile } from './train-command.ts'

export function openTexts({ path }: TextsFile, stdin: () => Readable): Readable {
  return path === null ? stdin() : createReadStream(path)
}
