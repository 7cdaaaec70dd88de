// The entry of the command line.
import { endQuietlyWithTheReader, standardOutput } from './output.ts'
import { runCommand } from './run-command.ts'

endQuietlyWithTheReader()
process.exitCode = await runCommand(process.argv.slice(2), standardOutput())
