import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('a note cannot move the cursor, whatever it names', () => {
  const module = JSON.stringify(new URL('./output.ts', import.meta.url).href)
  const program = `import { standardOutput } from ${module}
    standardOutput().warn('a \\x1b[2J\\x1b]0;title\\x07b\\u009b1m\\tc\\n')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program])
  assert.equal(stderr.toString(), 'a b1m\tc\n')
})
