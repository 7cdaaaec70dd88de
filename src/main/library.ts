// What `import 'jelajah'` gives: the command line as a function.
export { EXIT, type ExitCode } from '../cli/exit-codes.ts'
export type { Output } from '../cli/output.ts'
export { runCommand } from '../cli/run-command.ts'
export { VERSION } from '../core/version.ts'
