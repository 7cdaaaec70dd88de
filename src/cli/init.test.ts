import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { BadOptions } from '../options/bad-options.ts'
import { optionsIn } from '../options/options.ts'
import { OPTION_GROUPS } from '../options/table.ts'
import { parseCrawl } from './crawl/crawl.ts'
import { command } from './init.ts'

let cwd = ''
let told: string[] = []
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'jelajah-init-'))
  told = []
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const around = () => ({
  ...{ cwd, env: {}, cores: 2, readStdin: async () => '', checkTopic: () => {}, commands: [] },
  tell: (text: string) => void told.push(text),
})
const init = (...argv: string[]) =>
  command.run(argv, around(), { write: async () => {}, warn: () => {} })
const crawl = () => parseCrawl([], around())

for (const [flags, name] of [
  [[], 'jelajah.config.json'],
  [['--typescript'], 'jelajah.config.ts'],
] as const) {
  test(`${name} is written with every option, and read as it is`, async () => {
    await init(...flags)
    const path = join(cwd, name)
    const text = readFileSync(path, 'utf8')
    for (const option of OPTION_GROUPS.flatMap((group) => optionsIn(group))) {
      assert.ok(text.includes(option.help.slice(0, 60)), `${option.name} is explained`)
    }
    const seeded = text
      .replace('seeds": []', 'seeds": ["http://a.test/"]')
      .replace('seeds: []', "seeds: ['http://a.test/']")
      .replace(/\/\/ ("?max-?pages"?: )1000/i, '$17')
    writeFileSync(path, seeded)
    const { seeds, settings } = await crawl()
    assert.deepEqual([seeds, settings.maxPages], [['http://a.test/'], 7])
    assert.equal(
      told.some((line) => line.includes('was run')),
      name.endsWith('.ts'),
    )
  })

  test(`every line of ${name} is an option once it is let in`, async () => {
    await init(...flags)
    const path = join(cwd, name)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(/^ {2}\/\/ ("?[a-zA-Z-]+"?: .*,)$/gm, '  $1'),
    )
    // Placeholders such as FILE are no good values, but no key is unknown.
    await assert.rejects(crawl(), (error) => {
      assert.ok(error instanceof BadOptions)
      assert.doesNotMatch(error.message, /no such option|cannot be run|not valid JSON/)
      return true
    })
  })
}

test('a config file that is there is not written over without --force', async () => {
  writeFileSync(join(cwd, 'jelajah.config.json'), '{}')
  await assert.rejects(init(), /is there already; --force writes over it/)
  await init('--force')
  assert.match(readFileSync(join(cwd, 'jelajah.config.json'), 'utf8'), /Where to begin/)
  // Two files would be refused by every command that reads them.
  await assert.rejects(init('--typescript', '--force'), /a folder has one config file/)
})

test('comments and last commas are read; what is inside of strings stays', async () => {
  const config =
    '\uFEFF{ // seeds\n "seeds": ["http://a.test/x//y,}", /* , */ ], "name": "a \\"//\\" b",\n}'
  writeFileSync(join(cwd, 'jelajah.config.json'), config)
  assert.deepEqual((await crawl()).seeds, ['http://a.test/x//y,%7D'])
})

test('a config that cannot be used is named with what is wrong', async () => {
  const cases = {
    'jelajah.config.ts': [
      ['export const seeds = 1', /jelajah\.config\.ts.*must export one object by default/],
      ['throw new Error("no luck")', /cannot be run: no luck/],
      ['export default {', /cannot be run/],
    ],
    'jelajah.config.mjs': [['await 1; export default {}', /cannot be run/]],
    'jelajah.config.json': [
      ['{', /is not valid JSON/],
      ['[]', /must hold one JSON object/],
    ],
  } as const
  for (const [name, tries] of Object.entries(cases)) {
    for (const [number, [text, expected]] of tries.entries()) {
      cwd = mkdtempSync(join(cwd, `${number}-`))
      writeFileSync(join(cwd, name), text)
      await assert.rejects(crawl(), expected)
    }
  }
  cwd = mkdtempSync(join(cwd, 'two-'))
  for (const name of ['jelajah.config.json', 'jelajah.config.ts'])
    writeFileSync(join(cwd, name), '')
  await assert.rejects(crawl(), /stands beside jelajah\.config\.ts; keep one of them/)
})
