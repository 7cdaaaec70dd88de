import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalise, createIdentity } from './url.ts'

function identity(strip: readonly string[], path: string): string {
  const url = canonicalise(`http://a.test${path}`)
  assert.ok(url !== null)
  return createIdentity(strip)(url).replace('http://a.test', '')
}

test('tracking parameters and sessions make no other URL', () => {
  const token = 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6'
  const cases = {
    '/x?utm_source=a&utm_medium=b': '/x',
    '/x?id=1&UTM_Source=a&page=2': '/x?id=1&page=2',
    '/x?gclid=1&fbclid=2': '/x',
    '/x?PHPSESSID=abc&id=3': '/x?id=3',
    [`/x?sid=${token}`]: '/x',
    '/x?sid=123': '/x?sid=123',
    '/x?s=rice': '/x?s=rice',
    '/x?sid=550e8400-e29b-41d4-a716-446655440000&id=3': '/x?id=3',
    '/x?sess=k7Qm2xPz9Lw4Rt8Vb1Nc': '/x',
    '/talks?session=keynote-2024-opening-day': '/talks?session=keynote-2024-opening-day',
    '/?s=how-to-install-node22-on-linux': '/?s=how-to-install-node22-on-linux',
    '/news?name=News&sid=4711': '/news?name=News&sid=4711',
    '/a;jsessionid=1F0C/b?c=1': '/a/b?c=1',
    '/a.jsp;jsessionid=1F0C': '/a.jsp',
    '/(S(lit3py55t21z5v55vlm25s55))/page.aspx': '/page.aspx',
    '/map;x=1': '/map;x=1',
    '/wiki/A_(S)': '/wiki/A_(S)',
    '/x?a&b': '/x?a&b',
  }
  for (const [path, known] of Object.entries(cases)) {
    assert.equal(identity(['tracking', 'session'], path), known, path)
  }
})

test('what is left out can be chosen', () => {
  assert.equal(identity([], '/x?utm_source=a&sid=b'), '/x?utm_source=a&sid=b')
  assert.equal(identity(['ref', 'exp_*'], '/x?ref=1&exp_a=2&utm_id=3'), '/x?utm_id=3')
  assert.equal(identity(['tracking'], '/x;jsessionid=1?utm_id=3'), '/x;jsessionid=1')
})
