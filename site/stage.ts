// Makes the pages of the site from docs/: Markdown with links that work there. It needs no generator, so the tests check
// what it makes.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize, posix, relative } from 'node:path'
import { OUTSIDE } from './navigation.ts'

export const ROOT = join(import.meta.dirname, '..')

export type Page = {
  /** In the site, such as `guides/site-search.md`. */
  readonly path: string
  /** In the repository; null for a page that was generated. */
  readonly source: string | null
  readonly text: string
}

export type Stage = {
  readonly pages: readonly Page[]
  /** Files that pages link to or show: where they are in the site, and in the repository. */
  readonly files: ReadonlyMap<string, string>
}

/** `generated`: text by path in the site. */
export function stagePages(generated: ReadonlyMap<string, string>): Stage {
  const paths = new Map(Object.entries(OUTSIDE))
  for (const file of globSync('docs/**/*.md', { cwd: ROOT }).sort()) {
    paths.set(file, posix.relative('docs', file))
  }
  const indexes = folderIndexes([...paths.values(), ...generated.keys()])
  const files = new Map<string, string>()
  const pages: Page[] = []
  for (const [source, path] of paths) {
    // The start page of the site is docs/index.md.
    if (source === 'README.md') continue
    const text = readFileSync(join(ROOT, source), 'utf8')
    const relink = (target: string) => siteLink(target, { source, path, paths, files })
    pages.push({ path, source, text: rewriteLinks(text, relink) })
  }
  for (const [path, text] of generated) pages.push({ path, source: null, text })
  for (const folder of indexes) {
    pages.push({ path: `${folder}/index.md`, source: null, text: indexOf(folder, pages) })
  }
  return { pages, files }
}

/** Replaces the targets of links and images, but not in code. */
function rewriteLinks(text: string, relink: (target: string) => string): string {
  const pieces = text.split(/(^```.*?^```|`[^`\n]+`)/ms)
  return pieces
    .map((piece, at) =>
      at % 2 === 1
        ? piece
        : piece.replaceAll(/(\]\()([^)\s]+)(\))/g, (_, before, target, after) => {
            return `${before}${relink(target)}${after}`
          }),
    )
    .join('')
}

type LinkFrom = {
  readonly source: string
  readonly path: string
  readonly paths: ReadonlyMap<string, string>
  readonly files: Map<string, string>
}

function siteLink(target: string, { source, path, paths, files }: LinkFrom): string {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target
  const [file = '', anchor] = target.split('#')
  const tail = anchor === undefined ? '' : `#${anchor}`
  const named = normalize(join(dirname(source), file)).replace(/\/$/, '')
  const from = dirname(path)
  const page = paths.get(named)
  if (page !== undefined) return relativeLink(from, page) + tail
  const full = join(ROOT, named)
  if (!existsSync(full)) return target
  if (statSync(full).isDirectory()) {
    return relativeLink(from, `${posix.relative('docs', named)}/index.md`)
  }
  // Pictures are taken into the pages by the generator, other files are offered as they are.
  if (/\.(?:png|svg|jpg|webp)$/.test(named)) {
    const at = named.startsWith('docs/') ? posix.relative('docs', named) : `project/${named}`
    files.set(at, named)
    return relativeLink(from, at)
  }
  files.set(`public/files/${named}.txt`, named)
  return `/files/${named}.txt`
}

function relativeLink(from: string, to: string): string {
  const link = relative(from, to)
  return link.startsWith('.') ? link : `./${link}`
}

/** Folders with pages and without an index of their own. */
function folderIndexes(paths: readonly string[]): readonly string[] {
  const folders = new Set(paths.map((path) => dirname(path)).filter((folder) => folder !== '.'))
  return [...folders].filter((folder) => !paths.includes(`${folder}/index.md`)).sort()
}

/** A list of links answers no search. */
const NO_INDEX = '---\nhead: [[meta, { name: robots, content: noindex }]]\n---\n\n'

function indexOf(folder: string, pages: readonly Page[]): string {
  const inside = pages.filter(({ path }) => dirname(path) === folder)
  const lines = inside
    .toSorted((one, other) => one.path.localeCompare(other.path))
    .map(({ path, text }) => `- [${titleOf(text)}](./${posix.basename(path)})`)
  return `${NO_INDEX}# ${folderTitle(folder)}\n\n${lines.join('\n')}\n`
}

/** `Coming from` for `coming-from`. */
export function folderTitle(folder: string): string {
  const words = posix.basename(folder).replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** The first heading, without marks. */
export function titleOf(text: string): string {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll(/[`*]/g, '')
}

/** The anchor of a heading, as GitHub makes it: pages are read there, too. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-')
}
