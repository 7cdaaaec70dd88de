// DuckDB, which writes Parquet for us: a package of seventy megabytes that is loaded only here, and may be
// missing where somebody left it out.
import type { DuckDBConnection } from '@duckdb/node-api'
import { CrawlerError, InvalidInput } from '../../core/errors.ts'

export type Duck = AsyncDisposable & {
  readonly connection: DuckDBConnection
  readonly api: DuckApi
}

type DuckApi = typeof import('@duckdb/node-api')

/** It takes far less, but a page may be large. */
const MEMORY_LIMIT = '1GB'

/** `work`: a folder for what does not fit into memory. */
export async function openDuck(work: string): Promise<Duck> {
  const api = await loadDuck()
  const instance = await api.DuckDBInstance.create(':memory:', {
    ...{ threads: '1', memory_limit: MEMORY_LIMIT, temp_directory: work },
    // With one thread rows stay in order all the same, and groups of rows can be bounded by their size.
    preserve_insertion_order: 'false',
    // Nothing is ever loaded from the network, or read that was not asked for.
    ...{ autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' },
  })
  const connection = await instance.connect()
  return {
    ...{ connection, api },
    async [Symbol.asyncDispose]() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

async function loadDuck(): Promise<DuckApi> {
  try {
    return await import('@duckdb/node-api')
  } catch {
    const message =
      'needs the package @duckdb/node-api, which is not installed for this machine ' +
      '(npm install @duckdb/node-api)'
    throw new InvalidInput('--format parquet', message)
  }
}

export async function run(duck: Duck, sql: string): Promise<void> {
  try {
    await duck.connection.run(sql)
  } catch (error) {
    throw duckError(error)
  }
}

function duckError(error: unknown): unknown {
  const text = error instanceof Error ? error.message : String(error)
  if (/no space left|disk quota|file too large/i.test(text)) {
    const message =
      'there is no room for the export. What is written so far stays: the same command goes on with it ' +
      'once there is.'
    return new CrawlerError('disk-full', message, { cause: error })
  }
  return error
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A path where patterns are understood, as itself. */
export function quotedPattern(path: string): string {
  return quoted(path.replaceAll(/[*?[]/g, '[$&]'))
}
