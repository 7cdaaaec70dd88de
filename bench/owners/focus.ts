// How good a focused crawl is when several programs share it: the replays of `jelajah simulate`, with a
// frontier whose partitions are owned by 1, 2, 4, ... programs. All of them run in this process, on simulated
// time, and see of each other only what they report and send.
//
//   focus.ts (--data FOLDER --topics FILE --truth FILE | --demo WEB,WEB) [--owners 1,4] [--orderings adaptive]
//            [--concurrency N] [--delay MS] [--policy best] [--budget 0.2] [--topic NAME] [--each]
//            [--report MS]
//
// Printed with it: Jain's index over the domains of the seeds (mean of all replays, and the least), which only the
// host policy `fair` looks after; of several orderings together.
//
// `--concurrency` is the number of requests in flight of all owners together; with `--each`, of each owner.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openSample } from '../../src/cli/simulate/run-simulate.ts'
import { readOrderings } from '../../src/cli/simulate/simulate-options.ts'
import { findSubjects } from '../../src/cli/simulate/subjects.ts'
import { fairnessOf } from '../../src/core/fairness.ts'
import type { HostState } from '../../src/core/host.ts'
import { replayJob } from '../../src/experiment/replay-frontier.ts'
import { openStoredWeb } from '../../src/experiment/stored-web.ts'
import type { PartitionedFrontier } from '../../src/frontier/partitions/partitioned-frontier.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { optionValues } from '../../src/ordering/index.ts'
import { compareOn, type SubjectWeb } from '../../src/simulate/comparison.ts'
import type { FrontierSetup, OpenFrontier } from '../../src/simulate/replay.ts'
import { SAMPLE_NAMES } from '../../src/simulate/sample/sample-names.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { OwnersFixture, openOwners, SeveralOwners } from '../../test/support/several-owners.ts'
import { SimulatedTime } from '../../test/support/simulated-time.ts'
import { markdownTable } from '../table.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    topics: { type: 'string' },
    truth: { type: 'string' },
    demo: { type: 'string' },
    owners: { type: 'string', default: '1,4' },
    orderings: { type: 'string', default: 'adaptive' },
    concurrency: { type: 'string', default: '16' },
    delay: { type: 'string', default: '1000' },
    policy: { type: 'string', default: 'best' },
    budget: { type: 'string', default: '0.2' },
    partitions: { type: 'string', default: '16' },
    topic: { type: 'string' },
    report: { type: 'string', default: '1000' },
    each: { type: 'boolean', default: false },
  },
})

const concurrency = Number(values.concurrency)

function ownedBy(count: number): OpenFrontier {
  return async (setup: FrontierSetup) => {
    const { ordering, hostPolicy, clock } = setup
    const policy = hostPolicyNamed(hostPolicy)
    const time = new SimulatedTime(clock)
    const each = values.each ? concurrency : Math.max(1, Math.round(concurrency / count))
    const place = new OwnersFixture({
      ...{ time, ordering, policy, partitions: Number(values.partitions) },
      job: replayJob({ ...setup, concurrency: each }, policy.name),
      leaseMs: 5 * Number(values.report),
      createScorer: () => ordering.createScorer(optionValues(ordering, {}), 1),
      admit: () => null,
      templateOf: () => null,
    })
    const owners = await openOwners(place, count, time)
    return Object.assign(new SeveralOwners(owners, time, each), {
      [Symbol.asyncDispose]: async () => {
        fairnesses.push(fairnessOf(setup.seeds, hostsOf(owners), setup.delayMs).index)
        for (const owner of owners) owner.abandon()
      },
    })
  }
}

/** Over the domains of the seeds, of each replay of the last comparison. */
const fairnesses: number[] = []

/** Of hosts of others an owner knows what they reported last. */
function hostsOf(owners: readonly PartitionedFrontier[]): Iterable<HostState> {
  const latest = new Map<string, HostState>()
  for (const host of owners.flatMap((owner) => owner.hosts(Number.POSITIVE_INFINITY))) {
    if (host.stored >= (latest.get(host.host)?.stored ?? 0)) latest.set(host.host, host)
  }
  return latest.values()
}

async function websOf(stack: AsyncDisposableStack): Promise<SubjectWeb[]> {
  const { data, topics, truth, demo } = values
  const none = { topic: null, stopWords: [], seeds: [] }
  if (data === undefined || topics === undefined || truth === undefined) {
    const wanted = SAMPLE_NAMES.filter((name) => demo?.split(',').includes(name) ?? true)
    return Promise.all(
      wanted.map(async (name) => {
        const { world, job, about } = openSample(name)
        const files = about ?? { topicsFile: null, truthFile: null }
        const { subjects } = await findSubjects({ ...none, ...files }, world, job)
        return {
          world,
          subjects: subjects.map((one) => ({
            ...one,
            truth: { ...one.truth, topic: `${name}/${one.truth.topic}` },
          })),
        }
      }),
    )
  }
  const workspace = stack.use(workspaceOf({ dataDir: data }))
  const { world, job } = stack.use(
    await openStoredWeb({ workspace, crawl: null, deadLinks: false }),
  )
  const fileOf = (name: string) => ({ name, text: readFileSync(name, 'utf8') })
  const files = { topicsFile: fileOf(topics), truthFile: fileOf(truth) }
  const { subjects } = await findSubjects({ ...none, ...files }, world, job)
  return [{ world, subjects }]
}

await using stack = new AsyncDisposableStack()
const webs = (await websOf(stack)).map(({ world, subjects }) => ({
  world,
  subjects: subjects.filter(
    ({ truth }) => values.topic === undefined || truth.topic === values.topic,
  ),
}))
const rows: string[][] = []
for (const count of values.owners.split(',').map(Number)) {
  const summary = await compareOn(webs, {
    entrants: readOrderings(values.orderings).map((one) => ({ ...one, hostPolicy: values.policy })),
    randomSeeds: [1],
    budget: Number(values.budget),
    politeness: {
      ...{ perHost: 1, delayMs: Number(values.delay) },
      concurrency: values.each ? concurrency * count : concurrency,
    },
    openFrontier: ownedBy(count),
  })
  const fairness = fairnesses.splice(0)
  const fair = fairness.reduce((sum, one) => sum + one, 0) / fairness.length
  const least = Math.min(...fairness)
  for (const { name, mean, byTopic } of summary.contenders) {
    const each = [...byTopic].map(([, { singles }]) => singles.nauc20.toFixed(1))
    rows.push([
      ...[name, String(count), mean.singles.nauc20.toFixed(1), each.join(' ')],
      ...[fair.toFixed(3), least.toFixed(3)],
    ])
    console.error(rows.at(-1)?.join(' | '))
  }
}
const head = ['ordering', 'owners', 'nAUC20', 'by topic', 'fairness of seeds', 'least']
console.log(markdownTable(head, rows))
