// The entry of the command line.
import { endQuietlyWithTheReader, standardOutput } from '../cli/output.ts'
import { runCommand } from '../cli/run-command.ts'

endQuietlyWithTheReader()
process.exitCode = await runCommand(process.argv.slice(2), standardOutput())
