// The tables as the databases themselves describe them, whatever SQL made them.
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import postgres from 'postgres'

/** For each kind of file in the folder (`frontier-N.db` is one kind): its tables, indexes and views. */
export function sqliteSchemas(folder: string): Map<string, string> {
  const schemas = new Map<string, string>()
  for (const path of globSync('**/*.db', { cwd: folder }).sort()) {
    const kind = basename(path, '.db').replaceAll(/\d+/g, 'N')
    schemas.set(kind, sqliteSchema(join(folder, path)))
  }
  return schemas
}

function sqliteSchema(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = db
      .prepare(`SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name`)
      .all()
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as {
      user_version: number
    }
    return [`-- user_version ${version}`, ...rows.map(({ sql }) => plainSql(`${sql}`)), ''].join(
      '\n',
    )
  } finally {
    db.close()
  }
}

/** Without remarks and with a line for each column, however the statement was written. */
function plainSql(sql: string): string {
  const bare = sql.replaceAll(/--[^\n]*/g, '').replaceAll(/\s+/g, ' ')
  if (!/^CREATE (VIRTUAL )?TABLE/.test(bare)) return `${bare};`
  let depth = 0
  const laidOut = bare.replaceAll(/ ?[(),] ?/g, (found) => {
    const sign = found.trim()
    if (sign === '(' && depth++ === 0) return ' (\n  '
    if (sign === ')' && --depth === 0) return '\n) '
    if (sign === ',') return depth === 1 ? ',\n  ' : ', '
    return sign === '(' ? found.trimEnd() : found.trimStart()
  })
  return `${laidOut.replaceAll(/ +$/gm, '').trim()};`
}

/** Everything in the schema of the connection, a line each, sorted within its kind. */
export async function postgresSchema(url: string): Promise<string> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const sections: string[] = []
  try {
    for (const [title, query] of POSTGRES_QUERIES) {
      const rows = await sql.unsafe<{ line: string }[]>(query)
      const lines = rows.map(({ line }) => line.trimEnd()).sort()
      sections.push(`== ${title}`, ...lines, '')
    }
  } finally {
    await sql.end()
  }
  return sections.join('\n')
}

const HERE = 'relnamespace = current_schema()::regnamespace'

const POSTGRES_QUERIES: readonly (readonly [title: string, query: string])[] = [
  [
    'relations',
    `SELECT format('%s %s%s%s', CASE relkind WHEN 'r' THEN 'table' WHEN 'p' THEN 'partitioned table'
       WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' END, relname,
       CASE relpersistence WHEN 'u' THEN ' unlogged' ELSE '' END,
       ' ' || array_to_string(reloptions, ' ')) AS line
     FROM pg_class WHERE ${HERE} AND relkind IN ('r', 'p', 'v', 'm', 'S')`,
  ],
  [
    'columns',
    `SELECT format('%s.%s %s%s%s', relname, attname, format_type(atttypid, atttypmod),
       CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END,
       CASE WHEN attgenerated <> '' THEN ' GENERATED ' WHEN attidentity <> '' THEN ' IDENTITY '
         WHEN d.adbin IS NOT NULL THEN ' DEFAULT ' ELSE '' END
         || coalesce(pg_get_expr(d.adbin, d.adrelid), '')) AS line
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE ${HERE} AND relkind IN ('r', 'p', 'v', 'm') AND attnum > 0 AND NOT attisdropped`,
  ],
  [
    'constraints',
    `SELECT format('%s %s: %s', relname, conname, pg_get_constraintdef(o.oid)) AS line
     FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE ${HERE} AND contype <> 'n'`,
  ],
  [
    'indexes',
    `SELECT replace(indexdef, current_schema() || '.', '') AS line
     FROM pg_indexes WHERE schemaname = current_schema()`,
  ],
  [
    'views',
    `SELECT format(E'%s:\\n%s', relname, pg_get_viewdef(oid)) AS line
     FROM pg_class WHERE ${HERE} AND relkind IN ('v', 'm')`,
  ],
  [
    'functions',
    `SELECT pg_get_functiondef(oid) AS line
     FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND prokind = 'f'`,
  ],
  [
    'triggers',
    `SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t
     JOIN pg_class c ON c.oid = t.tgrelid WHERE ${HERE} AND NOT tgisinternal`,
  ],
]
