// `jelajah worker`: lends this machine to the crawls of a database.
import type { ExitCode } from '../cli/exit-codes.ts'
import type { WorkerOptions } from '../cli/worker-command.ts'
import { InvalidInput } from '../core/errors.ts'
import type { Output } from './output.ts'

export async function runWorker(options: WorkerOptions, _out: Output): Promise<ExitCode> {
  throw new InvalidInput('worker', `${options.name} cannot work yet`)
}
