// The client of undici alone. Its index also loads fetch, web sockets, caches and mocks, which cost each scouter 45 ms
// of processor time at its start.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export const Client: typeof import('undici').Client = load()

/** The file is no public name of undici: a version that has moved it is loaded as a whole. */
function load() {
  try {
    return require('undici/lib/dispatcher/client.js')
  } catch {
    return require('undici').Client
  }
}
