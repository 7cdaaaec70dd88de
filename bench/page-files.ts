// Real pages as files: the HTML below a folder, of a documentation package for example.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Sample = {
  /** At most so many pages. */
  readonly limit: number
  readonly minBytes?: number
  readonly maxBytes?: number
}

export type PageFile = { readonly file: string; readonly bytes: Buffer }

/** How many files are looked at for one of the right size; more only when sizes are limited. */
const LOOKED_AT = 8

/** Always the same pages of a folder, from all over it: neighbours resemble each other. */
export function samplePages(root: string, { limit, minBytes, maxBytes }: Sample): PageFile[] {
  const files = htmlBelow(root)
  const isLimited = minBytes !== undefined || maxBytes !== undefined
  const step = Math.max(1, Math.floor(files.length / (isLimited ? LOOKED_AT * limit : limit)))
  const found: PageFile[] = []
  for (let at = 0; at < files.length && found.length < limit; at += step) {
    const file = files[at] ?? ''
    const bytes = readFileSync(file)
    const { length } = bytes
    if (length >= (minBytes ?? 1) && length <= (maxBytes ?? length)) found.push({ file, bytes })
  }
  return found
}

export function htmlBelow(root: string): string[] {
  return globSync('**/*.{html,htm}', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
