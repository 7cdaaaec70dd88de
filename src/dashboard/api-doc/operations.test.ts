import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationsOf, typeOf } from './operations.ts'

const document = {
  components: {
    schemas: {
      Job: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', description: 'which' },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
        },
      },
      Part: { type: 'object', properties: { name: { type: 'string' } } },
      Loop: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Loop' } } },
    },
  },
  paths: {
    '/crawl': {
      post: {
        summary: 'Start',
        tags: ['jobs'],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { url: { type: 'string' }, max_pages: { type: 'integer', minimum: 1 } },
                examples: [{ url: "https://it's.test" }],
              },
            },
          },
        },
        responses: {
          200: {
            description: 'started',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } },
          },
        },
      },
    },
    '/crawl/{id}/loop': {
      get: {
        parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
        responses: { 200: { content: { x: { schema: { $ref: '#/components/schemas/Loop' } } } } },
      },
    },
  },
}

test('an operation has its fields, those inside of others too', () => {
  const [start] = operationsOf(document, 'http://127.0.0.1:8088')
  assert.deepEqual(
    start?.body.map(({ name, type }) => [name, type]),
    [
      ['url', 'string'],
      ['max_pages', 'integer ≥ 1'],
    ],
  )
  const names = start?.answers[0]?.fields.map(({ name }) => name)
  assert.deepEqual(names, ['id', 'parts', 'parts[].name'])
  assert.equal(start?.tag, 'jobs')
})

test('a command can be pasted into a shell, whatever the example says', () => {
  const [start, loop] = operationsOf(document, 'http://h')
  assert.match(start?.curl ?? '', /-d '\{"url":"https:\/\/it'\\''s\.test"\}'$/)
  assert.equal(loop?.curl, "curl 'http://h/crawl/crawl_1/loop?q=…'")
})

test('an example beside the schema is taken, too', () => {
  const beside = structuredClone(document)
  const content = beside.paths['/crawl'].post.requestBody.content['application/json']
  Object.assign(content, { examples: { first: { value: { url: 'a.test' } } } })
  assert.match(operationsOf(beside, '')[0]?.curl ?? '', /-d '\{"url":"a\.test"\}'$/)
})

test('a description that speaks of itself comes to an end', () => {
  const [, loop] = operationsOf(document, '')
  assert.equal(loop?.answers[0]?.fields.length, 4)
})

test('a document that is none describes nothing', () => {
  for (const broken of [null, 5, [], {}, { paths: 3 }, { paths: { '/x': null } }]) {
    assert.deepEqual(operationsOf(broken, ''), [])
  }
})

test('types are written in short', () => {
  const cases: [unknown, string][] = [
    [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, '"a" | "b"'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
    [{ type: 'array', items: { type: 'integer' } }, 'array of integer'],
    [{ type: 'number', minimum: 0, maximum: 1 }, 'number 0 … 1'],
    [{}, 'any'],
  ]
  for (const [schema, text] of cases) assert.equal(typeOf(schema), text)
})
