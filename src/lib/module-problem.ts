// Why a module that a user wrote cannot be loaded, in one line: with the line of the file where Node tells it, and
// with what to do where Node takes the file for CommonJS.

/** `npm init` writes "type": "commonjs" into package.json, and Node then refuses `import` and `export`. */
const IN_COMMONJS = /^(?:Unexpected token 'export'|Cannot use import statement outside a module)/
const SAY_MODULE =
  'package.json makes it CommonJS: write "type": "module" there, or end its name with .mts or .mjs'

export function moduleProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, stack = '' } = error
  const [why = ''] = message.split('\n', 1)
  if (!(error instanceof SyntaxError)) return why
  if (IN_COMMONJS.test(why)) return `${why}: ${SAY_MODULE}`
  // Node puts file, line and source before the message; of a plain module it does not.
  const line = /^\S.*:(\d+)\n/.exec(stack)?.[1]
  if (line !== undefined) return `line ${line}: ${why}`
  return `${why} (node --check with this file shows where)`
}
