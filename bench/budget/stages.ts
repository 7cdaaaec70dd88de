// Which stage of a page's way a sample of a CPU profile belongs to, by the files on its stack.

/** As V8 writes it. */
export type CpuProfile = {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

type ProfileNode = {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
  readonly children?: readonly number[]
}

export const OTHER_THREADS = 'compilers and collectors in other threads'
const STARTING = 'start-up: modules'

/** The first that fits the innermost file that is ours, or a package's. */
const STAGES: readonly (readonly [RegExp, string])[] = [
  [/^parser\/html\//, 'parse: scan'],
  [/^parser\/(?:features|forest|content)\//, 'parse: features, forests, content'],
  [/^parser\/about\//, 'parse: page information'],
  [/^parser\/(?:parts|links?)\//, 'parse: parts and links'],
  [/^text\/|^parser\/language/, 'parse: language'],
  [/^parser\/(?:worker|thread|pool|fair-queue|thread-clock)\b/, 'hop between threads'],
  [/^parser\/(?:page-saver|page-counts|parser)\b|^store\//, 'store'],
  [/^(?:parser|topic|ordering|lib\/(?:decode|url-hash))/, 'parse: fields, hashes, the rest'],
  [/^lib\/column-text/, 'store'],
  [/^wire\/|^scouter\/(?:parser-link|receipts|parser-backlog)/, 'frames on sockets'],
  [/^http\/|^undici\/|^lib\/decompress/, 'HTTP client'],
  [/^frontier\//, 'frontier'],
  [/^scouter\/(?:host-limiter|sqlite|limiter|address-limit)/, 'limiter between crawls'],
  [/^(?:scouter|robots|core|lib|tldts)/, 'visits, robots, timers'],
  [/^graph\/|^crawl\/importance/, 'importance at the end'],
  [/^(?:crawl|workspace|cli|main|fleet|options|jobs|reads|search)/, 'supervision'],
]
/** Called by any stage: whoever calls them pays. */
const TOOLS = /^db\/|^wasm:/
const LOADING = /^node:internal\/(?:modules|bootstrap|deps\/amaro|process\/(?:pre_execution|esm))/
const HOPS = /^node:internal\/(?:worker|per_context\/messageport)/

/** Microseconds of each stage, without the time in which the thread slept. */
export function stagesOf(profile: CpuProfile): Map<string, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map<number, number>()
  for (const { id, children = [] } of profile.nodes) {
    for (const child of children) parents.set(child, id)
  }
  const known = new Map<number, string | null>()
  const sums = new Map<string, number>()
  for (const [at, id] of profile.samples.entries()) {
    let stage = known.get(id)
    if (stage === undefined) {
      stage = stageOf(stackOf(id, nodes, parents))
      known.set(id, stage)
    }
    if (stage !== null) sums.set(stage, (sums.get(stage) ?? 0) + (profile.timeDeltas[at] ?? 0))
  }
  return sums
}

type Frame = { readonly name: string; readonly file: string }

/** The innermost first. */
function stackOf(
  leaf: number,
  nodes: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): Frame[] {
  const stack: Frame[] = []
  for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
    const { functionName: name = '', url = '' } = nodes.get(id)?.callFrame ?? {}
    const file = url.replace(/^.*\/node_modules\//, '').replace(/^file:.*?\/src\//, '')
    stack.push({ name, file })
  }
  return stack
}

/** Null: it sleeps. */
function stageOf(stack: readonly Frame[]): string | null {
  const [leaf] = stack
  if (leaf?.name === '(idle)') return null
  if (leaf?.name === '(garbage collector)') return 'garbage collection'
  for (const { file } of stack) {
    if (LOADING.test(file)) return STARTING
    if (file === '' || TOOLS.test(file) || file.startsWith('node:')) continue
    const [, stage] = STAGES.find(([files]) => files.test(file)) ?? []
    if (stage !== undefined) return stage
  }
  if (stack.some(({ file }) => HOPS.test(file))) return 'hop between threads'
  if (stack.some(({ file }) => file.startsWith('wasm:'))) return STARTING
  return 'native code and system calls'
}
