import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { readAccessLog } from './access-log.ts'
import { startSite } from './server.ts'
import { createSite } from './site.ts'

test('as a program it says where it is, serves, logs to its file and ends when told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-serve-'))
  const log = join(folder, 'access.jsonl')
  const program = join(import.meta.dirname, 'serve.ts')
  const args = [program, '--pages', '80', '--seed', '3', '--json', '--log', log]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    const { port, pages, seeds } = JSON.parse(line)
    assert.equal(pages, 80)
    const headers = { host: new URL(seeds[0]).host }
    const [response] = await once(
      get({ host: '127.0.0.1', port, headers, agent: false }),
      'response',
    )
    response.resume()
    await once(response, 'end')
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.deepEqual(
      readAccessLog(log).map((record) => [record.host, record.path, record.status]),
      [[headers.host, '/', 200]],
    )
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

test('what it cannot do it says in one line, and what it can do in a page', async () => {
  await using taken = await startSite(createSite({ seed: 1, pages: 20 }))
  const program = join(import.meta.dirname, 'serve.ts')
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args])
    return { status, said: `${stdout}${stderr}` }
  }
  const help = run('--help')
  assert.equal(help.status, 0)
  assert.match(help.said, /--pages N/)
  const cases: [string[], number, RegExp][] = [
    [['--port', String(taken.port)], 1, /^port \d+ is in use.*\n$/],
    [['--pages', 'many'], 2, /^--pages wants a number, not many.*\n$/],
    [['--nonsense'], 2, /^Unknown option '--nonsense'.*\n$/],
    [['--sample', 'none'], 2, /^there is no sample none.*\n$/],
    [['--sample', 'demo', '--pages', '5'], 2, /^--pages means nothing with --sample.*\n$/],
  ]
  for (const [args, code, line] of cases) {
    const { status, said } = run(...args)
    assert.equal(status, code)
    assert.match(said, line)
  }
})
