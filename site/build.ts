// Writes the pages into site/.pages and runs the generator over them: site/dist is the site.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { VERSION } from '../src/core/version.ts'
import { openJelajah } from './jelajah.ts'
import { referencePages } from './reference.ts'
import { LANGUAGE_FOLDERS, sidebarOf } from './sidebar.ts'
import { type Page, ROOT, stagePages, titleOf } from './stage.ts'

const HERE = import.meta.dirname
const PAGES = join(HERE, '.pages')
export const DIST = join(HERE, 'dist')

export async function buildSite(): Promise<void> {
  const { pages, files } = stagePages(await referencePages(await describedApi()))
  rmSync(PAGES, { recursive: true, force: true })
  for (const { path, text } of pages) write(path, text)
  for (const [path, source] of files) copy(source, path)
  copy('src/dashboard/icon.svg', 'public/icon.svg')
  const sidebarId = LANGUAGE_FOLDERS.map((folder) => languageSidebar(folder, pages))
  const navigation = { sidebar: sidebarOf(pages), sidebarId, version: VERSION }
  write('navigation.json', JSON.stringify(navigation))
  const require = createRequire(join(HERE, 'package.json'))
  const generator = join(dirname(require.resolve('vitepress/package.json')), 'bin', 'vitepress.js')
  execFileSync(process.execPath, [generator, 'build', HERE], { stdio: ['ignore', 2, 'inherit'] })
}

function languageSidebar(folder: string, pages: readonly Page[]) {
  const inside = pages.filter(({ path }) => path.startsWith(`${folder}/`))
  return {
    text: 'Panduan',
    items: inside.map(({ path, text }) => ({
      text: titleOf(text),
      link: `/${path.replace(/(?:index)?\.md$/, '')}`,
    })),
  }
}

/** As the server of this checkout tells it. */
async function describedApi(): Promise<unknown> {
  const data = join(HERE, '.search', 'empty')
  await using server = await openJelajah(['serve', '--port', '0', '--data', data, '--json'])
  const answer = await fetch(new URL('/openapi.json', server.url))
  return answer.json()
}

function write(path: string, text: string): void {
  const target = join(PAGES, path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}

function copy(source: string, path: string): void {
  const target = join(PAGES, path)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(ROOT, source), target)
}
