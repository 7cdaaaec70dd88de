// Searches that were kept under a name: `--save`, `--saved`, `--new`, `--list-saved` and `--forget`.
import { InvalidInput, shown } from '../../core/errors.ts'
import { jobId } from '../../core/job.ts'
import { searchColumns } from '../../core/search-field.ts'
import { showTime } from '../../lib/format.ts'
import { jsonLine } from '../../lib/json-line.ts'
import { given } from '../../lib/present.ts'
import { safeText } from '../../lib/terminal.ts'
import type { SearchResult } from '../../reads/shapes/page.ts'
import { type SavedRequest, savedRequestFrom } from '../../reads/shapes/search-request.ts'
import { MAX_SAVED, type SavedSearches } from '../../store/saved-searches.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import type { SearchCommand } from './search-command.ts'

/** The command with what was saved; InvalidInput if there is none of this name. */
export async function withSaved(
  kept: SavedSearches,
  name: string,
  command: SearchCommand,
): Promise<SearchCommand> {
  const search = await kept.find(name)
  if (search === null) throw nothingNamed('--saved', name)
  const { q, columns, exact, rank_weight: rankWeight, ...rest } = savedRequestFrom(search.request)
  const { published_since: publishedSince, published_until: publishedUntil, ...same } = rest
  const isNew = command.new === true
  return {
    ...command,
    ...given({ ...same, exact, rankWeight, publishedSince, publishedUntil }),
    ...given({ columns: columns === undefined ? null : searchColumns(columns, 'columns') }),
    ...given({ changedAfter: isNew ? search.seen : null, rules: command.rulesOf?.for(q) }),
    query: q,
  }
}

type Asked = {
  readonly result: SearchResult
  /** Null: all there are. */
  readonly crawlId: number | null
  readonly out: Output
  readonly now: number
}

/** Keeps the search, or what was seen of it. */
export async function noteAsked(
  kept: SavedSearches,
  command: SearchCommand,
  { result, crawlId, out, now }: Asked,
): Promise<void> {
  const { save, saved } = command
  if (save !== undefined) {
    const request = JSON.stringify(requestFrom(command, crawlId))
    if (!(await kept.save({ name: save, request, savedAt: now, seen: result.cursor }))) {
      throw new InvalidInput('--save', `there are ${MAX_SAVED} saved searches: --forget some first`)
    }
    const again = `jelajah search --saved ${JSON.stringify(save)} --new`
    out.warn(`saved; what is new from now on: ${again}\n`)
  } else if (saved !== undefined && command.new === true) {
    const isAll = command.offset === 0 && result.hits.length >= result.total
    if (isAll) await kept.see(saved, result.cursor, now)
    else out.warn('not all of it is listed, so it stays new: ask with a larger --limit\n')
  }
}

/** By the names of the parameters over HTTP. */
function requestFrom(command: SearchCommand, crawlId: number | null): SavedRequest {
  const crawl = crawlId === null ? null : jobId(crawlId)
  const { query: q, host, language, kind, topic, hot, since, until } = command
  const { sort, all, exact, rankWeight: rank_weight, columns } = command
  const { publishedSince: published_since, publishedUntil: published_until } = command
  return {
    q,
    ...given({ crawl, host, language, kind, topic, hot, since, until }),
    ...given({ sort, all, exact, rank_weight, published_since, published_until }),
    ...given({ columns: columns?.join(',') }),
  }
}

export async function printSaved(
  kept: SavedSearches,
  { json = false }: SearchCommand,
  out: Output,
): Promise<ExitCode> {
  const all = (await kept.list()).map((search) => {
    return { ...search, request: savedRequestFrom(search.request) }
  })
  if (json) {
    const searches = all.map(({ name, request, savedAt, seen, seenAt }) => {
      return { name, request, saved_at: savedAt, seen, seen_at: seenAt }
    })
    await out.write(jsonLine({ searches }))
  } else if (all.length === 0) await out.write('no search is saved; --save NAME keeps one\n')
  for (const { name, request, seenAt, savedAt } of json ? [] : all) {
    const { q, ...filters } = request
    const with_ = Object.entries(filters).map(([key, value]) => `${key}=${String(value)}`)
    const when = seenAt === null ? `saved ${showTime(savedAt)}` : `last asked ${showTime(seenAt)}`
    const parts = [q, ...with_].map((part) => safeText(part)).join('  ')
    await out.write(`${safeText(name)}: ${parts}  (${when})\n`)
  }
  return EXIT.done
}

export async function forgetSaved(
  kept: SavedSearches,
  name: string,
  out: Output,
): Promise<ExitCode> {
  if (!(await kept.remove(name))) throw nothingNamed('--forget', name)
  await out.write(`forgotten: ${safeText(name)}\n`)
  return EXIT.done
}

function nothingNamed(at: string, name: string): InvalidInput {
  return new InvalidInput(
    at,
    `there is no saved search named ${shown(name)}; --list-saved shows those there are`,
  )
}
