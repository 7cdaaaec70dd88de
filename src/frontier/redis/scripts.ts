// The scripts of the frontier, each put together from pieces: a verb is the last of them.
import { composeScript, type RedisScript } from '../../db/redis-script.ts'
import { LAYOUT, SHORT_REASONS } from './keys.ts'

/** Order matters: a piece may use what those before it define. */
const BASE = ['rows', 'hosts', 'spending', 'patience', 'places']
const FACTS = ['prelude', 'known', ...BASE]
const HOLDS = ['holds', 'revisits', 'maps', 'server', 'sessions', 'outlook']
const INTAKE = ['seen', 'edges', 'facts', 'intake', 'buffer']

const PIECES = {
  begin: ['prelude', ...BASE, ...HOLDS, 'sitemaps', 'begin'],
  add: [...FACTS, ...HOLDS, ...INTAKE, 'add'],
  lease: [...FACTS, ...HOLDS, 'sitemaps', 'turns-of-hosts', 'picking', 'lease'],
  outside: [...FACTS, ...HOLDS, 'sitemaps', 'turns-of-hosts', 'picking', 'outside'],
  marks: [...FACTS, ...HOLDS, 'marks'],
  settle: [
    ...FACTS,
    ...HOLDS,
    ...INTAKE,
    'sitemaps',
    'rounds',
    'traps',
    'settling',
    'same-server',
    'settlements',
    'settle',
  ],
  part: [
    ...FACTS,
    ...HOLDS,
    ...INTAKE,
    'sitemaps',
    'rounds',
    'traps',
    'settling',
    'same-server',
    'settlements',
    'part',
  ],
  rescore: [...FACTS, ...HOLDS, ...INTAKE, 'rescore'],
  lower: [...FACTS, ...HOLDS, ...INTAKE, 'lower'],
  leave: [...FACTS, ...HOLDS, 'leave'],
  deliver: [...FACTS, ...HOLDS, ...INTAKE, 'sitemaps', 'rounds', 'traps', 'settling', 'deliver'],
  rank: [...FACTS, ...HOLDS, 'sitemaps', 'turns-of-hosts', 'picking', 'same-server', 'rank'],
  renew: [...FACTS, ...HOLDS, 'renew'],
  look: ['prelude', 'known', 'rows', 'hosts', 'holds', 'revisits', 'seen', 'look'],
  heads: [...FACTS, 'heads'],
  'rows-between': ['prelude', 'known', 'rows', 'rows-between'],
  judged: [...FACTS, ...HOLDS, ...INTAKE, 'sitemaps', 'rounds', 'traps', 'settling', 'judged'],
  'edges-after': ['prelude', 'known', 'rows', 'edges', 'edges-after'],
  peek: [...FACTS, 'peek'],
  robots: [...FACTS, ...HOLDS, 'sitemaps', 'robots'],
  unreachable: [...FACTS, ...HOLDS, 'sitemaps', 'unreachable'],
  refresh: [...FACTS, ...HOLDS, 'sitemaps', 'refresh'],
  'refresh-retries': [...FACTS, ...HOLDS, 'sitemaps', 'refresh-retries'],
  reopen: [...FACTS, ...HOLDS, 'sitemaps', 'reopen'],
} as const satisfies Record<string, readonly string[]>

/** What scripts need that write into a frontier which is not whole. */
export const RESTORING = [
  ...['prelude', ...BASE, ...HOLDS, ...INTAKE],
  ...['sitemaps', 'rounds', 'traps', 'settling'],
]

export type ScriptName = keyof typeof PIECES

/** `META` nil: every field of `meta` is read. */
export const HEAD = [
  'local META',
  `local LAYOUT = '${LAYOUT}'`,
  `local REASONS = {${SHORT_REASONS.map((reason) => `'${reason}'`).join(',')}}`,
].join('\n')

const known = new Map<ScriptName, RedisScript>()

/** The same for all crawls: a server keeps one of each. */
export function scriptNamed(name: ScriptName): RedisScript {
  const script = known.get(name) ?? compose(name)
  known.set(name, script)
  return script
}

const COUNTERS = Array.from({ length: 9 }, (_, state) => `c${state}`)

/** Only those fields of `meta` are read that the script speaks of: each costs half a microsecond. */
function compose(name: ScriptName): RedisScript {
  const pieces = PIECES[name]
  if (name === 'begin') return composeScript(name, pieces, HEAD)
  const { text } = composeScript(name, pieces)
  const spoken = text.matchAll(/\b(?:M\.|(?:num|setMeta|addMeta)\(')(\w+)/g)
  const fields = new Set([...COUNTERS, ...Array.from(spoken, (match) => match[1] ?? '')])
  const meta = `META = {${Array.from(fields, (field) => `'${field}'`).join(',')}}`
  return composeScript(name, pieces, [HEAD, meta].join('\n'))
}
