import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMAND_NAMES, COMMANDS } from './commands.ts'
import { commandHelp, generalHelp } from './help.ts'

test('general help names every command', () => {
  for (const name of COMMAND_NAMES) assert.match(generalHelp(), new RegExp(`^  ${name} `, 'm'))
})

test('the help of a command shows every flag it takes, and none that comes later', () => {
  for (const name of COMMAND_NAMES) {
    const help = commandHelp(name)
    const { options, more } = COMMANDS[name]
    for (const option of [...options, ...(more?.options ?? [])]) {
      const flag = option.on ? `--no-${option.name}` : `--${option.name}`
      assert.equal(new RegExp(`^  .*${flag}\\b`, 'm').test(help), !option.hidden, `${name} ${flag}`)
    }
  }
})

test('what only matters for a page on the web stands below the rest', () => {
  const help = commandHelp('parse')
  const at = (words: string) => help.indexOf(words)
  assert.ok(at('--max-body') < at('When the page is a URL:'))
  assert.ok(at('When the page is a URL:') < at('--contact'))
})

test('no line of help is too wide', () => {
  for (const name of COMMAND_NAMES) {
    for (const line of commandHelp(name).split('\n')) assert.ok(line.length <= 100, line)
  }
})
