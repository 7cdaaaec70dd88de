import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOf } from './admission.ts'

test('links that do something are told by what names the action', () => {
  const cases = {
    '/logout': 'logout',
    '/Account/LogOut': 'logout',
    '/user/logout.php?token=ab12': 'logout',
    '/auth/sign-out/': 'sign-out',
    '/delete?id=1': 'delete',
    '/posts/12/delete': 'delete',
    '/post/delete/12': 'delete',
    '/cart/remove?item=3': 'remove',
    '/index.php?action=logout': 'logout',
    '/wiki/index.php?title=X&action=delete': 'delete',
    '/shop/?add-to-cart=15': 'add-to-cart',
    '/add-to-cart/15': 'add-to-cart',
    '/unsubscribe?u=5': 'unsubscribe',
    '/items/5f3e8a7c/destroy': 'destroy',
    '/user/logout/5': 'logout',
  }
  for (const [path, action] of Object.entries(cases)) assert.equal(actionOf(path), action, path)
})

test('pages about such things are pages', () => {
  const paths = [
    '/',
    '/blog/how-to-log-out',
    '/docs/sql/delete',
    '/refman/en/delete.html',
    '/refman/en/delete.html?v=8',
    '/http/methods/delete/',
    '/wiki/Delete',
    '/cart',
    '/news/2024/vote',
    '/news/vote-2024',
    '/help?topic=logout',
    '/search?q=delete',
    '/index.php?action=view&id=5',
    '/cancel-anytime',
    '/urban/areas/5',
    '/logouts',
  ]
  for (const path of paths) assert.equal(actionOf(path), null, path)
})
