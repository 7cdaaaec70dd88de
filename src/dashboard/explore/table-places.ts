// Where somebody was in each table, so that the way back from a page leads to the same row.
import type { TablePlace } from './page-table.tsx'

const MOST = 20
const places = new Map<string, TablePlace>()

/** The place in the table of this name, to be read and written; the top of it at first. */
export function placeIn(table: string): TablePlace {
  const place = places.get(table) ?? { scrollTop: 0, active: 0 }
  places.delete(table)
  places.set(table, place)
  for (const oldest of places.keys()) {
    if (places.size <= MOST) break
    places.delete(oldest)
  }
  return place
}
