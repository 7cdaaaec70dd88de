// Modules that run in a thread or a process of their own are started by their file's name. That name ends in
// `.ts` in a checkout and in `.js` in the package, where everything is built ahead.
import { extname } from 'node:path'

/** The module `name` in the folder of the module that asks (`import.meta`). */
export function moduleBeside(asking: ImportMeta, name: string): URL {
  return new URL(`${name}${extname(asking.filename)}`, asking.url)
}

/** Whether this is the package, built ahead, and not a checkout. */
export const IS_BUILT = extname(import.meta.filename) === '.js'
