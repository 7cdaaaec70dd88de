import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlCopy } from '../../core/url-copy.ts'
import type { SomeChanges } from '../../frontier/url-changes.ts'
import { startCopying } from './copy-states.ts'

/** A frontier of one URL, whose state is a number that grows, and its copy; saving fails at first. */
function scene(failures = 0) {
  let left = failures
  let now = 1
  let changed = true
  let claimedBy = ''
  const copies: { readonly by: string; readonly state: number }[] = []
  const urlAt = (state: number) => ({ position: 1, priority: state }) as UrlCopy
  const changes = {
    take: async (): Promise<SomeChanges> => {
      const urls = changed ? [urlAt(now)] : []
      return { urls, hosts: [], notes: [], marks: [now] }
    },
    copied: async ({ marks }: SomeChanges) => {
      if (marks[0] === now) changed = false
    },
    leave: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  const states = {
    claim: async (_: number, copier: string) => {
      claimedBy = copier
      // Changes taken before the claim may be old when it is made.
      now = 2
    },
    save: async (_: number, { urls }: { urls: readonly UrlCopy[] }, copier: string) => {
      if (copier !== claimedBy) return false
      left -= 1
      if (left >= 0) throw new Error('not now')
      copies.push({ by: copier, state: urls[0]?.priority ?? 0 })
      return true
    },
  }
  return { changes, states, copies }
}

test('who makes the copy claims it first, and copies only what it read after that', async () => {
  const { changes, states, copies } = scene()
  const onError = (error: unknown) => assert.fail(String(error))
  const copying = startCopying({ crawlId: 1, changes, states, onError })
  await copying[Symbol.asyncDispose]()
  assert.deepEqual(
    copies.map(({ state }) => state),
    [2],
  )
})

test('what went wrong is tried again, while it copies and at the end', async () => {
  const { changes, states, copies } = scene(3)
  const onError = (error: unknown) => assert.fail(String(error))
  const copying = startCopying({ crawlId: 1, changes, states, everyMs: 1, onError })
  await copying[Symbol.asyncDispose]()
  assert.equal(copies.length, 1)
})

test('a copy that does not get up to date says so at its end, once', async () => {
  const { changes, states } = scene(Number.POSITIVE_INFINITY)
  const heard: string[] = []
  const onError = (error: unknown) => void heard.push(String(error))
  const copying = startCopying({ crawlId: 1, changes, states, patienceMs: 0, onError })
  await copying[Symbol.asyncDispose]()
  assert.deepEqual(heard, ['Error: not now'])
})

test('so does one that another process does not let have its turn', async () => {
  const { changes, states } = scene()
  const heard: string[] = []
  const onError = (error: unknown) => void heard.push(String(error))
  const away = { ...changes, take: async () => null }
  const copying = startCopying({ crawlId: 1, changes: away, states, patienceMs: 0, onError })
  await copying[Symbol.asyncDispose]()
  assert.match(heard.join(), /another process does not finish the copy/)
})
