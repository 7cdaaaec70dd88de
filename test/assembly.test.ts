import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LAYOUT_FILE, layoutSource, sourcesKey } from '../scripts/assembly-module.ts'
import { SOURCES_KEY } from '../src/parser/assembly/module.ts'

test('the WebAssembly module was compiled from the sources in assembly/', () => {
  assert.equal(SOURCES_KEY, sourcesKey(), 'run sh scripts/build-assembly')
})

test('both sides of the memory have the same addresses', () => {
  assert.equal(readFileSync(LAYOUT_FILE, 'utf8'), layoutSource(), 'run sh scripts/build-assembly')
})
