import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chownSync, existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  CONTROL_SOCKET,
  createRunFolder,
  removeRunFolder,
  sweepRunFolders,
} from './child-process.ts'

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

const needsRoot = { skip: process.geteuid?.() !== 0 && 'only root can give files away' }

test('folders that another user put beside them are not even asked', needsRoot, async () => {
  const [own, planted] = [createRunFolder(), createRunFolder()]
  let asked = 0
  const server = createServer(() => asked++).listen(join(planted, CONTROL_SOCKET))
  await new Promise((resolve) => server.once('listening', resolve))
  chownSync(planted, 65_534, 65_534)
  await sweepRunFolders(own)
  assert.deepEqual([asked, existsSync(planted)], [0, true])
  server.close()
  for (const folder of [own, planted]) removeRunFolder(folder)
})
