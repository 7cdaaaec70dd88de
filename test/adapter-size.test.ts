// What one more database costs: the members that its adapters must have, and the files that PostgreSQL's
// have. Two budgets that only go down.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SRC = join(import.meta.dirname, '..', 'src')
/** What a database implements. What can be answered from these is written once, above them. */
const PORTS = {
  'store/sql/sql.ts': ['Sql', 'Dialect', 'Statements'],
  'store/sql/sql-job-store.ts': ['JobStoreOptions'],
  'store/page-store.ts': ['PageStore'],
  'frontier/storage.ts': ['FrontierStorage'],
  'frontier/partitions/row-reader.ts': ['RowReader'],
  'scouter/limiter/storage.ts': ['LimiterStorage'],
  'fleet/worker-registry.ts': ['WorkerRegistry'],
  'search/clusters.ts': ['NearDuplicates'],
  'search/search-index.ts': ['SearchReader', 'SearchIndex'],
}
const MAX_MEMBERS = 70
const MAX_FILES = 31

test('a database has no more to implement than it had', (t) => {
  const members = Object.entries(PORTS).flatMap(([file, names]) => {
    const text = readFileSync(join(SRC, file), 'utf8')
    return names.flatMap((name) => membersOf(text, name).map((member) => `${name}.${member}`))
  })
  t.diagnostic(`${members.length} members: ${members.join(' ')}`)
  assert.ok(
    members.length <= MAX_MEMBERS,
    `the ports have ${members.length} members, more than the ${MAX_MEMBERS} that are allowed. ` +
      'Put what can be answered from others above the port, or make it optional.',
  )
})

test('the adapters of PostgreSQL have no more files than they had', (t) => {
  const files = globSync(['*/postgres/*.ts', '*/*/postgres-*.ts', 'db/postgres*.ts'], { cwd: SRC })
  const own = [...new Set(files)].filter((file) => !file.endsWith('.test.ts')).sort()
  t.diagnostic(`${own.length} files: ${own.join(' ')}`)
  assert.ok(
    own.length <= MAX_FILES,
    `they have ${own.length} files, more than the ${MAX_FILES} that are allowed. ` +
      'Put rules and queries that another database would repeat where both can use them.',
  )
})

/** What is only a name for a port that is counted itself. */
function isOne(name: string): boolean {
  return name !== 'dialect' && name !== 'statements'
}

/** Names of the members that must be there: not those with a question mark, nor those with a body. */
function membersOf(text: string, name: string): string[] {
  const [, kind, body] =
    new RegExp(
      `^(?:export )?(interface|type|abstract class) ${name}\\b.*?\\{\\n(.*?)^\\}`,
      'ms',
    ).exec(text) ?? []
  assert.ok(body !== undefined, `${name} is not found`)
  const abstract = kind === 'abstract class' ? 'abstract ' : ''
  const member = new RegExp(`^  ${abstract}(?:readonly )?(\\w+)[(<:]`, 'gm')
  const names = [...body.matchAll(member)].map((match) => match[1]!).filter(isOne)
  assert.ok(names.length > 0, `${name} has no members`)
  return names
}
