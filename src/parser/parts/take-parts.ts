// The parts of a page as they are stored: JSON texts, each encoded once.
import type { PageParts, Part } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import type { HtmlReading } from '../html/html-reader.ts'
import type { LinkRow } from './link-list.ts'
import type { LinkResolver } from './link-resolver.ts'
import { ListReader } from './lists.ts'
import { TableReader } from './tables.ts'

export type TakePartsOptions = {
  readonly reading: HtmlReading
  readonly page: CanonicalUrl
  readonly resolver: LinkResolver
  /** The resolved links of the page, which are needed with or without their part. */
  readonly links: readonly LinkRow[]
}

/** `cut`: parts of which the page had more than the limit. */
export type TakenParts = { readonly parts: PageParts; readonly cut: readonly Part[] }

/** Takes the parts that the page was read for. */
export function takeParts({ reading, page, resolver, links }: TakePartsOptions): TakenParts {
  const { outline, pieces } = reading
  const { wants, images, forms, scripts, styles, tables } = reading.parts
  const parts: { [Key in Part]?: string } = {}
  const cut: Part[] = []
  const take = (part: Part, rows: readonly unknown[], isCut: boolean): void => {
    parts[part] = rows.length === 0 ? '[]' : JSON.stringify(rows)
    if (isCut) cut.push(part)
  }
  if (wants.links) take('links', links, reading.links.cut)
  if (wants.images) take('images', images.resolve(resolver), images.cut)
  if (wants.tables) {
    const reader = new TableReader(outline, tables, pieces)
    take('tables', reader.read(), reader.cut || outline.cut)
  }
  if (wants.forms) take('forms', forms.resolve(resolver, page), forms.cut)
  if (wants.lists) {
    const reader = new ListReader(outline, pieces)
    take('lists', reader.read(), reader.cut || outline.cut)
  }
  if (wants.scripts) take('scripts', scripts.resolve(resolver), scripts.cut)
  if (wants.styles) take('styles', styles.resolve(resolver), styles.cut)
  return { parts, cut }
}
