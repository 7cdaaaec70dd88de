// DuckDB writes Parquet for us. The package has seventy megabytes; it is loaded only here, and may be missing
// from an installation.
import type { DuckDBConnection } from '@duckdb/node-api'
import { CrawlerError, InvalidInput } from '../../core/errors.ts'

export type Duck = AsyncDisposable & {
  readonly connection: DuckDBConnection
  readonly api: DuckApi
}

type DuckApi = typeof import('@duckdb/node-api')

/** It needs far less, but a page may be large. */
const MEMORY_LIMIT = '1GB'

/** `work`: a folder for data that does not fit into memory. */
export async function openDuck(work: string): Promise<Duck> {
  const api = await loadDuck()
  const instance = await api.DuckDBInstance.create(':memory:', {
    ...{ threads: '1', memory_limit: MEMORY_LIMIT, temp_directory: work },
    // With one thread, rows stay in order anyway, and row groups can be limited by size.
    preserve_insertion_order: 'false',
    // Loads nothing from the network, and reads nothing else.
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

/** Quotes a path where patterns are allowed, so that it matches only itself. */
export function quotedPattern(path: string): string {
  return quoted(path.replaceAll(/[*?[]/g, '[$&]'))
}
