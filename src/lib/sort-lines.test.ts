import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { seededRandom } from './seeded-random.ts'
import { sortedLines } from './sort-lines.ts'

async function sorted(lines: readonly string[], limits: object): Promise<[string[], string[]]> {
  const work = await mkdtemp(join(tmpdir(), 'jelajah-sort-'))
  try {
    const from = join(work, 'lines')
    await writeFile(from, lines.map((line) => `${line}\n`).join(''))
    const found = await Array.fromAsync(sortedLines({ from, work, ...limits }))
    return [found, await readdir(work)]
  } finally {
    await rm(work, { recursive: true })
  }
}

const LIMITS: readonly (readonly [how: string, limits: object])[] = [
  ['in one piece', {}],
  ['in many pieces', { pieceChars: 200 }],
  ['in more pieces than are read side by side', { pieceChars: 100, maxSideBySide: 3 }],
]

for (const [how, limits] of LIMITS) {
  test(`lines are sorted by their bytes, ${how}, and nothing is left behind`, async () => {
    const random = seededRandom(7)
    const lines = Array.from({ length: 400 }, () => `a${Math.floor(random() * 200)})/Z b`)
    const [found, left] = await sorted(lines, limits)
    assert.deepEqual(found, lines.toSorted())
    assert.deepEqual(left, ['lines'])
  })
}

test('no lines are sorted lines', async () => {
  assert.deepEqual(await sorted([], {}), [[], ['lines']])
})
