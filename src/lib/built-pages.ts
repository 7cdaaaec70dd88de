// The output of the dashboard's build: the files that the server delivers, and pages that are saved with data
// in them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The output folder of the build, seen from a checkout and from the package. */
const FOLDERS = ['../../dist/dashboard', '../../dashboard'].map((path) =>
  join(import.meta.dirname, path),
)

export const NOT_BUILT = 'It is not built yet: npm run build'

/** Pages that the build makes for saving; see `scripts/build-dashboard.ts`. */
type SavedPageName = 'map' | 'report' | 'experiment'

/** The build puts this mark where the data belongs. */
const DATA_MARK = '<!--data-->'

/** Null if the dashboard is not built. */
export function dashboardFolder(): string | null {
  return FOLDERS.find((folder) => existsSync(join(folder, 'index.html'))) ?? null
}

export function hasSavedPage(name: SavedPageName): boolean {
  return existsSync(fileOf(name))
}

/** A page that shows this data and needs no other file; null if the dashboard is not built. */
export function savedPage(name: SavedPageName, data: unknown): string | null {
  if (!hasSavedPage(name)) return null
  const page = readFileSync(fileOf(name), 'utf8')
  const at = page.indexOf(DATA_MARK)
  return `${page.slice(0, at)}${inScript(data)}${page.slice(at + DATA_MARK.length)}`
}

/** Draws a figure of a report as SVG, in a language. */
type FigureDrawer = (figure: object, language: string) => string

/** Null if the dashboard is not built. */
export async function figureDrawer(): Promise<FigureDrawer | null> {
  const path = join(dashboardFolder() ?? '', 'saved', 'figures.js')
  if (!existsSync(path)) return null
  const loaded: { readonly drawFigure: FigureDrawer } = await import(pathToFileURL(path).href)
  return loaded.drawFigure
}

function fileOf(name: SavedPageName): string {
  return join(dashboardFolder() ?? '', 'saved', `${name}.html`)
}

/** JSON that can neither end its script element nor begin a comment there. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
