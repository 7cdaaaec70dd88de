// Modules that run in a thread or process of their own are started by file name. It ends in `.ts` in a
// checkout and in `.js` in the built package.
import { extname } from 'node:path'

/** The module `name` in the folder of the calling module (`import.meta`). */
export function moduleBeside(asking: ImportMeta, name: string): URL {
  return new URL(`${name}${extname(asking.filename)}`, asking.url)
}

/** Whether this is the built package and not a checkout. */
export const IS_BUILT = extname(import.meta.filename) === '.js'
