// Runs the hostile web: `npm run hostile`, or with ids of cases (`T7 R6`), letters (`Z`) or `--quick`. With
// `--no-namespace` as on a machine that allows none.
import { CannotShow, type HostileCase } from './case.ts'
import { CATALOGUE } from './catalogue/index.ts'
import { isInNamespace, runInNamespace } from './namespace.ts'
import { Stage } from './stage.ts'

export type Verdict = {
  readonly id: string
  readonly verdict: 'holds' | 'partly' | 'fails' | 'cannot be shown here'
  readonly seen: string
  readonly ms: number
}

/** Cases that are looked at together. */
const AT_ONCE = 3

async function judge(one: HostileCase, stage: Stage): Promise<Verdict> {
  const begun = performance.now()
  const judged = (verdict: Verdict['verdict'], seen: string): Verdict => ({
    id: one.id,
    verdict,
    seen: seen.replace(/\s+/g, ' ').slice(0, 400),
    ms: Math.round(performance.now() - begun),
  })
  try {
    const seen = await one.check(stage)
    return one.partly === undefined
      ? judged('holds', seen)
      : judged('partly', `${seen} (${one.partly})`)
  } catch (error) {
    if (error instanceof CannotShow) return judged('cannot be shown here', error.message)
    return judged(
      'fails',
      `${error instanceof Error ? error.message : error}; expected: ${one.holds}`,
    )
  }
}

function chosen(args: readonly string[]): readonly HostileCase[] {
  const wanted = args.filter((arg) => !arg.startsWith('--')).map((arg) => arg.toUpperCase())
  const cases =
    wanted.length === 0
      ? CATALOGUE
      : CATALOGUE.filter(({ id }) =>
          wanted.some((want) => id === want || id.replace(/\d+$/, '') === want),
        )
  return args.includes('--quick') ? cases.filter(({ slow }) => slow !== true) : cases
}

type Counts = Record<Verdict['verdict'], number>

async function runCases(args: readonly string[]): Promise<number> {
  const cases = chosen(args)
  const counts: Counts = { holds: 0, partly: 0, fails: 0, 'cannot be shown here': 0 }
  await using stage = await Stage.open(cases, args.includes('--quick'))
  stage.begin()
  // Some at a time, told in their order.
  const verdicts = cases.map(() => Promise.withResolvers<Verdict>())
  const waiting = [...cases.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      verdicts[next[0]]?.resolve(await judge(next[1], stage))
    }
  }
  const working = Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const { promise } of verdicts) {
    const verdict = await promise
    counts[verdict.verdict] += 1
    process.stdout.write(`${lineOf(verdict, args)}\n`)
  }
  await working
  const out = args.includes('--json') ? process.stderr : process.stdout
  out.write(`${cases.length} cases: ${countsText(counts)}\n`)
  return counts.fails > 0 ? 1 : 0
}

function lineOf(verdict: Verdict, args: readonly string[]): string {
  if (args.includes('--json')) return JSON.stringify(verdict)
  const time = args.includes('--times') ? ` [${verdict.ms} ms]` : ''
  return `${verdict.id.padEnd(4)} ${verdict.verdict.padEnd(6)} ${verdict.seen}${time}`
}

function countsText({ holds, partly, fails, ...others }: Counts): string {
  const hidden = others['cannot be shown here']
  const rest = hidden === 0 ? '' : `, ${hidden} cannot be shown here`
  return `${holds} hold, ${partly} partly, ${fails} fail${rest}`
}

async function main(args: readonly string[]): Promise<number> {
  if (isInNamespace() || args.includes('--no-namespace')) return await runCases(args)
  const ran = await runInNamespace([import.meta.filename, ...args])
  if (typeof ran === 'number') return ran
  process.stderr.write(`${ran}; hosts are reached by --connect-to instead\n`)
  return await runCases(args)
}

process.exitCode = await main(process.argv.slice(2))
