// The client of undici alone. Its index also loads fetch, web sockets, caches and mocks, which cost each scouter 45 ms
// of processor time at its start.
//
// It loads HTTP/2 with the first connection that speaks it: Node's servers and TLS come along, 20 ms more.
import { createRequire, Module } from 'node:module'

const require = createRequire(import.meta.url)

export const Client: typeof import('undici').Client = load()

/** The file is no public name of undici: a version that has moved it is loaded as a whole. */
function load() {
  try {
    loadLater(require.resolve('undici/lib/dispatcher/client-h2.js'))
    return require('undici/lib/dispatcher/client.js')
  } catch {
    return require('undici').Client
  }
}

/** Whoever requires the file gets a function that loads it when it is called, and calls what it exports. */
function loadLater(path: string): void {
  const standIn = new Module(path)
  standIn.exports = (...args: unknown[]): unknown => {
    if (require.cache[path] === standIn) delete require.cache[path]
    return require(path)(...args)
  }
  standIn.loaded = true
  require.cache[path] = standIn
}
