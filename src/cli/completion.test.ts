import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { command } from './completion.ts'

async function scriptFor(...argv: string[]): Promise<string> {
  const parts: string[] = []
  const out = { write: async (part: string) => void parts.push(part), warn: () => {} }
  const around = { cwd: '/', env: {}, cores: 1, readStdin: async () => '', commands: COMMANDS }
  await command.run(argv, around, out)
  return parts.join('')
}

/** What bash offers for the last of these words. */
async function offered(...words: string[]): Promise<string[]> {
  const ask = [
    await scriptFor('bash'),
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }',
    `_jelajah jelajah "\${@: -1}" "\${@: -2:1}"; printf "%s\\n" "\${COMPREPLY[@]}"`,
  ].join('\n')
  const { stdout, stderr } = spawnSync('bash', ['-c', ask, 'bash', ...words], { encoding: 'utf8' })
  assert.equal(stderr, '')
  return stdout.split('\n').filter((line) => line !== '')
}

test('bash completes commands, their flags and the values of a choice', async () => {
  assert.deepEqual(await offered('jelajah', 'se'), ['search', 'seeds', 'serve'])
  assert.deepEqual(await offered('jelajah', 'crawl', '--max-d'), ['--max-depth'])
  assert.deepEqual(await offered('jelajah', 'crawl', '--no-site'), ['--no-sitemaps'])
  assert.deepEqual(await offered('jelajah', 'crawl', '--scope', ''), ['host', 'domain', 'any'])
  assert.deepEqual(await offered('jelajah', 'crawl', '--out', 'x'), [], 'no flag of crawl')
})

test('bash completes a first word that is one of a few', async () => {
  assert.deepEqual(await offered('jelajah', 'graph', 's'), ['sites'])
  assert.deepEqual(await offered('jelajah', 'completion', ''), ['bash', 'zsh', 'fish'])
  assert.deepEqual(await offered('jelajah', 'help', 'cra'), ['crawl', 'crawls'])
  assert.deepEqual(await offered('jelajah', 'explain', 'x'), [], 'any URL')
})

test('the script for zsh is a function of fpath, and can be read by source', async () => {
  assert.match(
    await scriptFor('zsh'),
    /^#compdef jelajah\n(.*\n)*if .* else compdef _jelajah jelajah; fi\n$/,
  )
})

test('every shell knows every command, and an unknown shell is refused', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptFor(shell)
    for (const { name } of COMMANDS) assert.match(script, new RegExp(`\\b${name}\\b`))
  }
  await assert.rejects(scriptFor('tcsh'), /needs bash, zsh or fish, not "?tcsh/)
  await assert.rejects(scriptFor(), /needs bash, zsh or fish, not nothing/)
})
