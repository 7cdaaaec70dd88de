// The promises of the ports: the titles of all tests in the contract suites, whichever file they are in.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SUITES = join(import.meta.dirname, '..', 'contract')
/** A call that gives a test its title, and the title where it is written there. */
const CALL = /(?<![.\w])(?:promise|test)\(\s*(?:(['"`])((?:\\.|(?!\1)[^\\])*)\1)?/g
/** How each suite hands the titles on. */
const HANDED_ON = `\${name}: \${title}`

/** Sorted, with a placeholder where a title has a value in it. */
export function promises(): string[] {
  const titles: string[] = []
  for (const file of globSync('**/*.ts', { cwd: SUITES })) {
    for (const [call, , title] of readFileSync(join(SUITES, file), 'utf8').matchAll(CALL)) {
      if (title === undefined) throw new Error(`${file}: a title that is not a text, at ${call}`)
      if (title !== HANDED_ON) titles.push(plain(title))
    }
  }
  return titles.sort()
}

function plain(title: string): string {
  return title
    .replace(`\${name}: `, '')
    .replaceAll(/\$\{[^}]*\}/g, '…')
    .replaceAll(/\\(.)/g, '$1')
}
