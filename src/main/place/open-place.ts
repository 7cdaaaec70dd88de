import { isServerUrl, type PlaceText } from '../../core/place-text.ts'
import { FolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'

/** Opens nothing yet: that is done by what is asked for. */
export function openPlace({ data, frontier }: PlaceText): Place {
  if (isServerUrl(data)) throw new Error('not yet')
  void frontier
  return new FolderPlace(data)
}

/** As the options of a command name it. */
export function placeOf(options: {
  readonly dataDir: string
  readonly frontier?: string | null
}): Place {
  return openPlace({ data: options.dataDir, frontier: options.frontier ?? null })
}
