// How good a focused crawl is when several programs share it: the replays of `jelajah simulate`, with a
// frontier whose partitions are owned by 1, 2, 4, ... programs. All of them run in this process, on simulated
// time, and see of each other only what they report and send.
//
//   focus.ts (--data FOLDER --topics FILE --truth FILE | --demo WEB,WEB) [--owners 1,4] [--orderings adaptive]
//            [--concurrency N] [--delay MS] [--policy best] [--budget 0.2] [--topic NAME] [--each]
//            [--report MS]
//
// `--concurrency` is the number of requests in flight of all owners together; with `--each`, of each owner.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openCrawl, openSample, replayJob } from '../../src/cli/simulate/run-simulate.ts'
import { readOrderings } from '../../src/cli/simulate/simulate-options.ts'
import { findSubjects } from '../../src/cli/simulate/subjects.ts'
import { hostPolicyNamed } from '../../src/frontier/policy/index.ts'
import { optionValues } from '../../src/ordering/index.ts'
import { compareOn, type SubjectWeb } from '../../src/simulate/comparison.ts'
import type { FrontierSetup, OpenFrontier } from '../../src/simulate/replay.ts'
import { SAMPLE_NAMES } from '../../src/simulate/sample/sample-names.ts'
import { workspaceOf } from '../../src/workspace/open-workspace.ts'
import { OwnersPlace, openOwners, SeveralOwners } from '../../test/support/several-owners.ts'
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
    const place = new OwnersPlace({
      ...{ time, ordering, policy, partitions: Number(values.partitions) },
      job: replayJob({ ...setup, concurrency: each }, policy.name),
      leaseMs: 5 * Number(values.report),
      createScorer: () => ordering.createScorer(optionValues(ordering, {}), 1),
      admit: () => null,
      templateOf: () => null,
    })
    return new SeveralOwners(await openOwners(place, count, time), time, each)
  }
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
  const { world, job } = stack.use(await openCrawl({ workspace, crawl: null, deadLinks: false }))
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
    manners: {
      ...{ perHost: 1, delayMs: Number(values.delay) },
      concurrency: values.each ? concurrency * count : concurrency,
    },
    openFrontier: ownedBy(count),
  })
  for (const { name, mean, byTopic } of summary.contenders) {
    const each = [...byTopic].map(([, { singles }]) => singles.nauc20.toFixed(1))
    rows.push([name, String(count), mean.singles.nauc20.toFixed(1), each.join(' ')])
    console.error(rows.at(-1)?.join(' | '))
  }
}
console.log(markdownTable(['ordering', 'owners', 'nAUC20', 'by topic'], rows))
