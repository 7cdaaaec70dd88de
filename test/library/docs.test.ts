// What the documents show can be copied and run.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { apiReport } from '../../scripts/api-report.ts'
import type { Candidate } from '../../src/ordering/ordering.ts'
import { loadPlugin } from '../../src/plugin/load-plugin.ts'
import { type ServedSite, startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { ROOT, temporaryFolder } from '../e2e/crawling.ts'

const rig = new AsyncDisposableStack()
after(() => rig.disposeAsync())

let served: ServedSite
let folder = ''
before(async () => {
  const hosts = [{ name: 'small', pages: 12, language: 'en', style: 'blog' }] as const
  served = rig.use(await startSite(createSite({ seed: 3, hosts: [...hosts] })))
  folder = rig.use(await temporaryFolder()).path
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})

test('the examples of the library run as they stand, and print nothing but what they say', async () => {
  const text = readFileSync(join(ROOT, 'docs', 'LIBRARY.md'), 'utf8')
  const programs = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, program = '']) => program)
  assert.equal(programs.length, 4)
  assert.doesNotMatch(programs.join(''), /\busing\b/, 'Node 22 does not know it')
  const said: string[] = []
  for (const program of programs) said.push(await run(program))
  assert.match(said[0] ?? '', /\ncompleted 1\d\n$/)
  assert.match(said[1] ?? '', /about health/)
  assert.match(said[2] ?? '', /\nstored/)
  assert.match(said[3] ?? '', /brewed.*https:\/\/example\.com\/brew/s)
})

test('the ordering that the documents show is loaded as a file, and scores links by their votes', async () => {
  const text = readFileSync(join(ROOT, 'docs', 'ORDERINGS.md'), 'utf8')
  const [, program = ''] = /^```ts\n(.*?)^```/ms.exec(text) ?? []
  const path = join(folder, 'anchor-votes.ts')
  await writeFile(path, program)
  const { ordering } = await loadPlugin(path)
  const scorer = ordering!.createScorer({ plain: 0.1 }, 1)
  const votes = scorer.merge!([1], [0.1])
  const candidate = { url: 'http://a.test/', depth: 1 } as Candidate
  assert.equal(scorer.score({ ...candidate, signals: votes }), 1.1)
  assert.ok(scorer.score({ ...candidate, depth: 0 }) > 100)
})

test('the report of the public interface is up to date', () => {
  const report = readFileSync(join(ROOT, 'docs', 'api-report.md'), 'utf8')
  assert.equal(apiReport(), report, 'if it is meant: sh scripts/node scripts/api-report.ts')
})

/** On the sample web, at full speed. */
async function run(program: string): Promise<string> {
  const library = join(ROOT, 'src', 'main', 'library.ts')
  const local = program
    .replace("'jelajah'", JSON.stringify(library))
    .replace(/https:\/\/example\.com\/(?=')/, served.seeds[0] ?? '')
    .replace('maxPages', 'delay: 0, maxPages')
  const path = join(folder, 'own.ts')
  await writeFile(path, local)
  // The one flag is for the warning that Node removes types, which these programs would have anywhere.
  const args = ['--disable-warning=ExperimentalWarning', path]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder })
  assert.equal(stderr, '')
  return stdout
}
