import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UrlCopy } from '../core/url-copy.ts'
import type { SomeChanges } from '../frontier/url-changes.ts'
import { startCopying } from './copy-states.ts'

/** A frontier of one URL, whose state is a number that grows, and the copy of it. */
function scene() {
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
      // What is taken before the claim may be old when it is made.
      now = 2
    },
    save: async (_: number, { urls }: { urls: readonly UrlCopy[] }, copier: string) => {
      if (copier !== claimedBy) return false
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
