// Writes docs/api-report.md: everything that `import 'jelajah'` gives, with its types, from the declarations
// that the compiler makes. A change of the report is a change of the public interface. With --check it only
// says whether the report is up to date.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const REPORT = join(ROOT, 'docs', 'api-report.md')
const ENTRY = 'src/main/library.d.ts'

const HEAD = `# The public interface

Made by \`sh scripts/node scripts/api-report.ts\` from the types of the package; a test compares it. What stands
here changes only on purpose: removing or renaming something is a new major version.
`

/** One statement of a declaration file. */
type Statement = { readonly name: string; readonly text: string }
type Declarations = {
  readonly statements: readonly Statement[]
  /** By local name: the file, and the name there. */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
}

export function apiReport(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-api-'))
  try {
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const flags = ['-p', 'tsconfig.package.json', '--emitDeclarationOnly', '--outDir', folder]
    execFileSync(process.execPath, [tsc, ...flags], { cwd: ROOT })
    return new Report(folder).text()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

class Report {
  readonly #folder: string
  readonly #read = new Map<string, Declarations>()
  readonly #shown = new Map<string, string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  text(): string {
    const exported = [...this.#of(ENTRY).imports]
    for (const [, { file, name }] of exported) this.#show(file, name)
    const names = exported.map(([name]) => name).sort()
    const shown = [...this.#shown].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
    const gives = names.map((name) => `\`${name}\``).join(', ')
    return `${HEAD}\n\`import { … } from 'jelajah'\` gives: ${gives}. The
other types are what these are made of.\n\n\`\`\`ts\n${shown.join('\n\n')}\n\`\`\`\n`
  }

  /** A declaration, and all others of ours that it names. */
  #show(file: string, name: string): void {
    const { statements, imports } = this.#of(file)
    const own = statements.filter((statement) => statement.name === name)
    const key = `${name} ${file}`
    if (own.length === 0 || this.#shown.has(key)) return
    const text = own.map((statement) => statement.text.replace(/= "\d.*"/, '= string')).join('\n')
    this.#shown.set(key, text)
    for (const word of new Set(withoutComments(text).match(/[A-Za-z_$][\w$]*/g))) {
      const from = imports.get(word)
      if (from !== undefined) this.#show(from.file, from.name)
      else if (word !== name) this.#show(file, word)
    }
  }

  #of(file: string): Declarations {
    const known = this.#read.get(file)
    if (known !== undefined) return known
    const read = this.#parse(file)
    this.#read.set(file, read)
    return read
  }

  #parse(file: string): Declarations {
    const imports = new Map<string, { file: string; name: string }>()
    const statements: Statement[] = []
    for (const text of statementsOf(readFileSync(join(this.#folder, file), 'utf8'))) {
      const from = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)\.ts'/s.exec(text)
      const name =
        /^(?:export )?(?:declare )?(?:abstract )?(?:const|function|class|interface|type) ([\w$]+)/.exec(
          withoutComments(text).trim(),
        )?.[1]
      if (from !== null) {
        const [, list = '', path = ''] = from
        const target = relative(this.#folder, resolve(this.#folder, dirname(file), `${path}.d.ts`))
        for (const entry of list.split(',')) {
          const [there = '', here = there] = entry
            .trim()
            .replace(/^type /, '')
            .split(' as ')
          if (there !== '') imports.set(here, { file: target, name: there })
        }
      } else if (name !== undefined) statements.push({ name, text })
    }
    return { statements, imports }
  }
}

/** Each with the comment before it. */
function statementsOf(file: string): string[] {
  const found: string[] = []
  let lines: string[] = []
  for (const line of file.split('\n')) {
    lines.push(line)
    // The compiler indents everything but beginnings and ends.
    const isEnd = /^[^\s/*].*;$|^\}.*$|^[^\s/*].*\}$/.test(line)
    if (!isEnd || /^(?:import|export) (?:type )?\{$/.test(line)) continue
    found.push(lines.join('\n').trim())
    lines = []
  }
  return found
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '')
}

if (process.argv[1] === import.meta.filename) {
  const report = apiReport()
  if (!process.argv.includes('--check')) writeFileSync(REPORT, report)
  else if (report !== readFileSync(REPORT, 'utf8')) {
    process.stderr.write(
      `docs/api-report.md is not up to date: sh scripts/node scripts/api-report.ts\n`,
    )
    process.exitCode = 1
  }
}
