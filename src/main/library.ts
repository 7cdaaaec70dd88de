// What `import 'jelajah'` gives: the command line as a function.
export { EXIT, type ExitCode } from '../cli/exit-codes.ts'
export { VERSION } from '../core/version.ts'
export type { Output } from './output.ts'
export { runCommand } from './run-command.ts'
