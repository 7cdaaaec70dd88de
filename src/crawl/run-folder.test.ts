import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { CONTROL_SOCKET, createRunFolder, removeRunFolder, sweepRunFolders } from './run-folder.ts'

test('the folder of a dead run is swept away, that of a living one is left alone', async () => {
  const [own, living, dead] = [createRunFolder(), createRunFolder(), createRunFolder()]
  const server = createServer().listen(join(living, CONTROL_SOCKET))
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = JSON.stringify(join(dead, CONTROL_SOCKET))
  const die = `require('node:net').createServer().listen(${socket}, () => process.kill(process.pid, 'SIGKILL'))`
  spawnSync(process.execPath, ['-e', die])
  await sweepRunFolders(own)
  assert.deepEqual([own, living, dead].map(existsSync), [true, true, false])
  server.close()
  for (const folder of [own, living]) removeRunFolder(folder)
})
