// Which page repeats which.
import type { PageFields } from '../../core/page.ts'
import type { CanonicalUrl } from '../../core/url.ts'
import { nearEqual } from '../../lib/near-equal.ts'
import type { Saved } from '../page-store.ts'
import type { PageBatchCache, ShelvedPage } from './page-batch-cache.ts'

/** The page that this one repeats; `id` is its own, 0 when it has none yet. */
export function firstOf(
  shelf: PageBatchCache,
  fields: PageFields,
  id: number,
): ShelvedPage | undefined {
  return shelf.firstWith(fields.contentHash, id) ?? canonicalTwin(shelf, fields, id)
}

/** The stored page this one calls its canonical form, if the two are near-equal indeed. */
function canonicalTwin(
  shelf: PageBatchCache,
  { url, canonicalUrl, contentText }: PageFields,
  id: number,
): ShelvedPage | undefined {
  if (canonicalUrl === null || canonicalUrl === url || contentText === '') return undefined
  const twin = twinAt(shelf, canonicalUrl, id)
  return twin !== undefined && nearEqual(contentText, twin.text ?? '') ? twin : undefined
}

/**
 * Of a duplicate that changed: the page it calls its canonical form, as before. To be asked while
 * that one was not looked at yet: most likely it changed in the same way.
 */
export function stillTwinOf(
  shelf: PageBatchCache,
  before: ShelvedPage,
  { canonicalUrl }: PageFields,
): ShelvedPage | undefined {
  if (canonicalUrl === null || before.duplicateOf === null) return undefined
  if (shelf.get(before.duplicateOf)?.url !== canonicalUrl) return undefined
  const twin = twinAt(shelf, canonicalUrl, before.id)
  if (twin === undefined) return undefined
  // Equal it was, byte by byte, or its text would be its own.
  const isEqual = before.text === ''
  return isEqual || nearEqual(before.text ?? '', twin.text ?? '') ? twin : undefined
}

function twinAt(shelf: PageBatchCache, url: CanonicalUrl, id: number): ShelvedPage | undefined {
  const twin = shelf.find(url)
  if (twin === undefined || twin.id === id || twin.noindex) return undefined
  return twin.duplicateOf === null ? twin : undefined
}

export function standingOf(
  shelf: PageBatchCache,
  { id, duplicateOf }: ShelvedPage,
): Extract<Saved, { outcome: 'stored' | 'duplicate' }> {
  const of = duplicateOf === null ? undefined : shelf.get(duplicateOf)?.url
  return of === undefined ? { outcome: 'stored', id } : { outcome: 'duplicate', id, of }
}
