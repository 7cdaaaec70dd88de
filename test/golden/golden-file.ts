// A golden file holds what users and other programs rely on, word for word. A test compares what the
// program says now with the file; a change is accepted by writing the file again, and is then seen in
// the diff of the commit.
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const FOLDER = join(import.meta.dirname, 'files')
const ACCEPTS = process.env.UPDATE_GOLDEN === '1'
const HOW = 'UPDATE_GOLDEN=1 sh scripts/test test/golden/golden.test.ts'
/** A longer diff is cut: the whole of it is in git once the change is accepted. */
const MAX_DIFF_LINES = 200

/** Fails with a diff when the file `name` says something else than `text`. */
export function assertGolden(name: string, text: string): void {
  report([changeOf(name, text)])
}

/** Fails with all diffs when the files of `folder` are not these, by their names, or say something else. */
export function assertGoldenFolder(folder: string, texts: ReadonlyMap<string, string>): void {
  const changes = [...texts].map(([name, text]) => changeOf(join(folder, name), text))
  const found = globSync('**/*.*', { cwd: join(FOLDER, folder) })
  const stale = found.filter((name) => !texts.has(name)).sort()
  if (ACCEPTS) for (const name of stale) rmSync(join(FOLDER, folder, name))
  else
    changes.push(...stale.map((name) => `${join(folder, name)}: nothing makes this file any more`))
  report(changes)
}

/** What changed; null when nothing did, or when it is accepted. */
function changeOf(name: string, text: string): string | null {
  const file = join(FOLDER, name)
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : null
  if (kept === text) return null
  if (ACCEPTS) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    return null
  }
  const change = kept === null ? 'there is no such file yet' : lineDiff(kept, text)
  return `${relative(process.cwd(), file)} (-: the file, +: now)\n${change}`
}

function report(changes: readonly (string | null)[]): void {
  const found = changes.filter((change) => change !== null)
  if (found.length === 0) return
  const error = new Error(
    `golden files differ from what the program says now:\n\n${found.join('\n\n')}\n\n` +
      `Users and other programs rely on this. If the change is meant, accept it with\n  ${HOW}\n` +
      'and commit the files with your change.',
  )
  // The stack says nothing beside the diff.
  error.stack = ''
  throw error
}

/** The lines that differ, with two lines around them. */
export function lineDiff(before: string, after: string): string {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const shared = commonLines(a, b)
  const lines: { readonly sign: ' ' | '-' | '+'; readonly text: string }[] = []
  let [x, y] = [0, 0]
  for (const [i, j] of [...shared, [a.length, b.length] as const]) {
    while (x < i) lines.push({ sign: '-', text: a[x++]! })
    while (y < j) lines.push({ sign: '+', text: b[y++]! })
    if (x < a.length) lines.push({ sign: ' ', text: a[x]! })
    x++
    y++
  }
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - 2), at + 3).some(({ sign }) => sign !== ' ')
  const near = lines.filter((_, at) => isNear(at))
  const cut = near.length > MAX_DIFF_LINES ? [`… ${near.length - MAX_DIFF_LINES} more lines`] : []
  const shown = near.slice(0, MAX_DIFF_LINES).map(({ sign, text }) => `${sign} ${text}`)
  return [...shown, ...cut].join('\n')
}

/** Pairs of places of a longest common subsequence, what both begin and end with first. */
function commonLines(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const least = Math.min(a.length, b.length)
  let head = 0
  while (head < least && a[head] === b[head]) head++
  let tail = 0
  while (tail < least - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++
  const [n, m] = [a.length - head - tail, b.length - head - tail]
  const lengths = Array.from({ length: n + 1 }, () => new Uint32Array(m + 1))
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const isSame = a[head + i] === b[head + j]
      lengths[i]![j] = isSame
        ? lengths[i + 1]![j + 1]! + 1
        : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  const pairs: (readonly [number, number])[] = Array.from({ length: head }, (_, at) => [at, at])
  for (let i = 0, j = 0; i < n && j < m; ) {
    if (a[head + i] === b[head + j]) pairs.push([head + i++, head + j++])
    else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++
    else j++
  }
  for (let at = tail; at > 0; at--) pairs.push([a.length - at, b.length - at])
  return pairs
}
