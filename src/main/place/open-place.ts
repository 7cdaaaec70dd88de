import type { PlaceChoice } from '../../cli/place-options.ts'
import { isServerUrl, type PlaceText } from '../../core/place-text.ts'
import { FolderPlace } from './folder-place.ts'
import type { Place } from './place.ts'
import { ServerPlace } from './server-place.ts'

/** Opens nothing yet: that is done by what is asked for. */
export function openPlace(text: PlaceText): Place {
  return isServerUrl(text.data) ? new ServerPlace(text) : new FolderPlace(text.data)
}

/** As the options of a command name it: the folder, or a database in its place. */
export function placeOf({ dataDir, frontier = null, storeTimeoutMs }: PlaceChoice): Place {
  const timeout = storeTimeoutMs === undefined ? {} : { storeTimeoutMs }
  return openPlace({ data: dataDir, frontier, ...timeout })
}
