import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORDERINGS } from '../ordering/index.ts'
import type { Ordering } from '../ordering/ordering.ts'
import type { ListedCommand } from './command.ts'
import { COMMANDS, commandNamed } from './commands.ts'
import { commandHelp, generalHelp, orderingsHelp } from './help.ts'

async function helpOf(listed: ListedCommand | null): Promise<string> {
  assert.ok(listed !== null)
  return commandHelp(listed, (await listed.load()).command)
}

test('general help names every command', () => {
  for (const { name } of COMMANDS) assert.match(generalHelp(), new RegExp(`^  ${name} `, 'm'))
})

test('the help of a command shows every flag it takes, and none that comes later', async () => {
  for (const listed of COMMANDS) {
    const { name } = listed
    const help = await helpOf(listed)
    const { options, more } = (await listed.load()).command
    for (const option of [...options, ...(more?.options ?? [])]) {
      const flag = option.on ? `--no-${option.name}` : `--${option.name}`
      assert.equal(new RegExp(`^  .*${flag}\\b`, 'm').test(help), !option.hidden, `${name} ${flag}`)
    }
  }
})

test('what only matters for a page on the web stands below the rest', async () => {
  const help = await helpOf(commandNamed('parse'))
  const at = (words: string) => help.indexOf(words)
  assert.ok(at('--max-body') < at('When the page is a URL:'))
  assert.ok(at('When the page is a URL:') < at('--contact'))
})

test('the help of search says how to leave hot pages out', async () => {
  assert.match(await helpOf(commandNamed('search')), /--no-hot/)
})

test('the help of doctor does not sound as if frontiers were rebuilt unasked', async () => {
  const help = await helpOf(commandNamed('doctor'))
  assert.match(help, /^ {2}--rebuild-frontier\b/m)
  assert.doesNotMatch(help, /--no-rebuild-frontier|the newest/)
})

test('no line of help is too wide', async () => {
  for (const listed of COMMANDS) {
    for (const line of (await helpOf(listed)).split('\n')) assert.ok(line.length <= 100, line)
  }
})

test('the help of crawl names the orderings, and where their options are listed', async () => {
  const help = (await helpOf(commandNamed('crawl'))).replaceAll(/\s+/g, ' ')
  for (const { name } of ORDERINGS) assert.match(help, new RegExp(`[ ,]${name}[ ,]`))
  assert.match(help, /'jelajah help orderings' lists them/)
})

test('the help of orderings has each of them with its options, defaults and ranges', () => {
  const own: Ordering = {
    name: 'own',
    about: 'what it does',
    focused: true,
    rescoreOn: [],
    options: [
      { name: 'beta', help: 'how much', default: 0.8, min: 0, max: 1 },
      { name: 'width', help: 'how wide', default: 10, min: 1, max: 100, whole: true },
    ],
    createScorer: () => ({ score: () => 0 }),
  }
  const help = orderingsHelp([...ORDERINGS, own])
  for (const { name } of ORDERINGS) assert.match(help, new RegExp(`^  ${name} `, 'm'))
  assert.match(help, /need to know what the crawl is about[\s\S]*^ {2}own +what it does$/m)
  assert.match(help, /^ +beta: how much \(0 to 1; default: 0.8\)$/m)
  assert.match(help, /^ +width: how wide \(whole, 1 to 100; default: 10\)$/m)
  for (const line of orderingsHelp(ORDERINGS).split('\n')) assert.ok(line.length <= 100, line)
})
