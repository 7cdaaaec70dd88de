// The sidebar, from the table in navigation.ts and the pages that there are.
import { dirname, posix } from 'node:path'
import { type Entry, OUTSIDE, SECTIONS } from './navigation.ts'
import { folderTitle, type Page, titleOf } from './stage.ts'

export type SidebarGroup = {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly { readonly text: string; readonly link: string }[]
}

/** Other languages have a sidebar of their own. */
export const LANGUAGE_FOLDERS = ['id'] as const

export function sidebarOf(pages: readonly Page[]): readonly SidebarGroup[] {
  const left = new Map(pages.filter((page) => !isAside(page)).map((page) => [page.path, page]))
  const take = (path: string, title?: string) => {
    const page = left.get(path)
    if (page === undefined) throw new Error(`site/navigation.ts: there is no page ${path}`)
    left.delete(path)
    return { text: title ?? titleOf(page.text), link: `/${path.replace(/(?:index)?\.md$/, '')}` }
  }
  const listed = SECTIONS.map(({ entries }) => entries.map((entry) => take(...pathAndTitle(entry))))
  const groups = SECTIONS.map(({ title, folder, collapsed }, at) => ({
    text: title,
    ...(collapsed === true ? { collapsed: true } : {}),
    items: [...(listed[at] ?? []), ...inFolder(folder).map((path) => take(path))],
  }))
  const others = new Map<string, string[]>()
  for (const path of [...left.keys()].sort()) {
    const folder = dirname(path)
    const title = folder === '.' || folder === 'project' ? 'More' : folderTitle(folder)
    others.set(title, [...(others.get(title) ?? []), path])
  }
  const more = [...others].map(([text, paths]) => ({ text, items: paths.map((p) => take(p)) }))
  return [...groups.slice(0, 2), ...more, ...groups.slice(2)].filter(
    ({ items }) => items.length > 0,
  )

  function inFolder(folder: string | undefined): readonly string[] {
    return [...left.keys()].filter((path) => dirname(path) === folder).sort()
  }
}

function pathAndTitle(entry: Entry): [path: string, title?: string] {
  const [file, title] = typeof entry === 'string' ? [entry] : entry
  const path = OUTSIDE[file] ?? file
  return title === undefined ? [path] : [path, title]
}

/** Made lists of folders, and pages in other languages. */
function isAside({ path, source }: Page): boolean {
  const isList = source === null && posix.basename(path) === 'index.md'
  return isList || LANGUAGE_FOLDERS.some((folder) => path.startsWith(`${folder}/`))
}
