import { isServerUrl, type PlaceText } from '../../core/place-text.ts'
import { FolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'

/** Opens nothing yet: that is done by what is asked for. */
export function openPlace({ data, frontier }: PlaceText): Place {
  if (isServerUrl(data)) throw new Error('not yet')
  void frontier
  return new FolderPlace(data)
}

/** As the options of a command name it: the folder, or a database in its place. */
export type PlaceNamed = {
  readonly dataDir: string
  readonly frontier?: string | null
  readonly storeTimeoutMs?: number
}

export function placeOf({ dataDir, frontier = null, storeTimeoutMs }: PlaceNamed): Place {
  const timeout = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  return openPlace({ data: dataDir, frontier, ...timeout })
}
