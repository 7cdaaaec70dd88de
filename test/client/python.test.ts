// The Python client, run by its own tests against a real server.
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startSite } from '../../src/sample-web/server.ts'
import { createSite } from '../../src/sample-web/site.ts'
import { temporaryFolder } from '../e2e/crawling.ts'
import { startServer } from '../e2e/serving.ts'

const run = promisify(execFile)
const cwd = join(import.meta.dirname, '../../clients/python')
const TOKEN = 'a-token-of-a-test-0123456789'
const hasPython = spawnSync('python3', ['--version']).status === 0

test('the Python client starts, reads and searches crawls of a real server', {
  skip: hasPython ? false : 'there is no python3 here',
}, async () => {
  await using folder = await temporaryFolder()
  await using site = await startSite(createSite({ seed: 4, pages: 40, hosts: 1 }))
  const flags = ['--allow-private', '--delay', '0', '--job-min-delay', '0']
  await using server = await startServer(folder.path, flags, { JELAJAH_TOKEN: TOKEN })
  const env = {
    ...process.env,
    ...{ TEST_SERVER: server.url, TEST_SEED: site.seeds[0], TEST_TOKEN: TOKEN },
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const { stderr } = await run('python3', ['-W', 'error', 'test_jelajah.py'], { cwd, env })
  assert.match(stderr, /^Ran 1\d tests.*\n\nOK$/m)
})
