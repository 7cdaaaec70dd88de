// Broken pages by the thousand: none of them may make the parser throw, hang, or store what no store
// can hold, and none may leave anything behind for the next one. The same pages in every run.
//
// JELAJAH_FUZZ=100000 runs as many rounds; JELAJAH_FUZZ_PAGES=/path takes pages from a folder besides
// our own; JELAJAH_FUZZ_ROUND=17 runs that one alone, as a failure names it.
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renderPage } from '../../src/sample-web/render.ts'
import { demoSite } from '../../src/sample-web/samples.ts'
import { Fuzz } from './fuzz.ts'

const ROUNDS = Number(process.env.JELAJAH_FUZZ ?? 250)
const FOLDER = process.env.JELAJAH_FUZZ_PAGES ?? ''
const ONLY = process.env.JELAJAH_FUZZ_ROUND
const MAX_FILE_BYTES = 400_000
const MAX_FAILURES = 20

/** Pages of all kinds, written for this. */
function written(): Buffer[] {
  return filesIn(join(import.meta.dirname, 'pages'))
}

/** Pages of the sample web, a few of each host. */
function rendered(): Buffer[] {
  const site = demoSite()
  return site.hosts.flatMap((host) =>
    [0, 1, host.pages - 1].map((index) => Buffer.from(renderPage(site, host, index, 80))),
  )
}

function given(): Buffer[] {
  return FOLDER === '' ? [] : filesIn(FOLDER)
}

function filesIn(folder: string): Buffer[] {
  return globSync('**/*.{html,htm}', { cwd: folder })
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size <= MAX_FILE_BYTES)
    .map((path) => readFileSync(path))
}

test('no accident of a page breaks the parser or reaches the next page', (t) => {
  const pages = [...written(), ...rendered(), ...given()]
  const fuzz = new Fuzz(pages)
  const from = ONLY === undefined ? 0 : Number(ONLY)
  const to = ONLY === undefined ? ROUNDS : from + 1
  const broken: string[] = []
  for (let round = from; round < to && broken.length < MAX_FAILURES; round++) {
    broken.push(...fuzz.brokenIn(round))
  }
  assert.deepEqual(broken, [])
  t.diagnostic(`${to - from} rounds over ${pages.length} pages`)
})
