import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesKey } from '../scripts/assembly-module.ts'
import { SOURCES_KEY } from '../src/parser/features/module.ts'

test('the WebAssembly module was compiled from the sources in assembly/', () => {
  assert.equal(SOURCES_KEY, sourcesKey(), 'run sh scripts/build-assembly')
})
