// The plug-ins that the options of a crawl name, looked up and checked. A crawl without them loads nothing of it.
import { isModulePath, type PluginRecord } from '../core/plugin.ts'
import type { Problems } from '../options/bad-options.ts'
import type { Chosen } from '../options/focus-checks.ts'
import { ORDERINGS } from '../ordering/index.ts'
import { checkPlugins } from './check-plugins.ts'

/** Whether there is something to look up. */
export function namesModules({ plugins = [], ordering = '' }: Chosen): boolean {
  return plugins.length > 0 || isModulePath(ordering)
}

/** The choices, with every plug-in known, and an ordering by its name. Everything wrong is a problem. */
export async function readPlugins(
  { ordering: written, ...chosen }: Chosen,
  cwd: string,
  problems: Problems,
): Promise<Chosen> {
  const byPath = written !== undefined && isModulePath(written) ? written : null
  const listed = (chosen.plugins ?? []).map(({ from }) => from)
  const flagOf = (from: string) => (listed.includes(from) ? '--plugin' : '--ordering')
  const refuse = (from: string, message: string) => problems.add('flag', flagOf(from), message)
  const wanted = byPath === null ? listed : [...listed, byPath]
  const plugins = await checkPlugins(wanted, cwd, refuse)
  if (byPath === null) return { ...chosen, ...(written && { ordering: written }), plugins }
  const own = plugins.find(({ from }) => from === byPath)
  // What is wrong with it was said.
  if (own === undefined) return { ...chosen, plugins }
  const ordering = orderingIn(own, problems)
  return { ...chosen, plugins, ...(ordering && { ordering }) }
}

function orderingIn({ from, ordering }: PluginRecord, problems: Problems): string | null {
  if (ordering === null) {
    problems.add('flag', '--ordering', `${from} has no ordering; --plugin takes its other hooks`)
    return null
  }
  const { name } = ordering
  if (!ORDERINGS.some((known) => known.name === name)) return name
  problems.add('flag', '--ordering', `${from} calls its ordering ${name}, as one of ours is called`)
  return null
}
