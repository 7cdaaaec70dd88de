import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import type { ServeSettings } from '../../src/api/api-deps.ts'
import { ORDERING_CHOICES } from '../../src/ordering/index.ts'
import { openRig } from '../support/api-rig.ts'

type Described = {
  readonly openapi: string
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly securitySchemes: Record<string, unknown> }
}
type Operation = {
  readonly operationId: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Record<string, { readonly schema: Schema }>
  }
  readonly responses: Record<string, { readonly description: string }>
}
type Schema = { readonly properties: Record<string, Record<string, unknown>> }

async function described(settings: Partial<ServeSettings> = {}): Promise<Described> {
  await using rig = await openRig(settings)
  const answer = await fetch(`${rig.url}/openapi.json`)
  return (await answer.json()) as Described
}

test('the OpenAPI document is valid', async () => {
  const document = await described()
  assert.match(document.openapi, /^3\.1\./)
  const { valid, errors } = await new Validator().validate({ ...document })
  assert.ok(valid, JSON.stringify(errors))
})

test('every route says what it is for and what it answers, and has a name of its own', async () => {
  const { paths } = await described()
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const names = operations.map(({ operationId }) => operationId)
  assert.ok(names.includes('postCrawl') && names.includes('getCrawlOne'), names.join(' '))
  assert.equal(new Set(names).size, operations.length)
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { summary, tags, responses }] of Object.entries(operations)) {
      assert.ok(summary, `${method} ${path} has no summary`)
      assert.ok(tags?.length === 1, `${method} ${path} has no tag`)
      assert.ok('200' in responses, `${method} ${path} has no answer`)
      for (const [status, { description }] of Object.entries(responses)) {
        assert.ok(description !== '', `${method} ${path} ${status}`)
        assert.doesNotMatch(
          description,
          /^Default Response|^what was asked for/,
          `${method} ${path}`,
        )
      }
    }
  }
})

test('all addresses of the API are described', async () => {
  const { paths } = await described()
  const jobPaths = ['', '/overview', '/history', '/pause', '/resume', '/stop', '/events', '/pages']
  const more = ['/page-ids', '/pages/{page}', '/urls', '/reasons', '/hosts', '/explain', '/rank']
  const graphs = ['/graph/pages', '/graph/sites']
  const ofJobs = [...jobPaths, ...more, ...graphs].map((path) => `/crawl/{id}${path}`)
  for (const path of [
    '/crawl',
    ...ofJobs,
    '/search',
    '/events',
    '/options',
    '/topic',
    '/metrics',
    '/healthz',
  ]) {
    assert.ok(path in paths, path)
  }
})

test('the body of a request is described by the table of options', async () => {
  const { paths } = await described()
  const schema = paths['/crawl']?.post?.requestBody?.content['application/json']?.schema
  const { properties = {} } = schema ?? {}
  assert.deepEqual(properties.max_pages, {
    type: 'integer',
    description: 'stop after N stored pages; default: 1000',
    minimum: 1,
    maximum: 10_000_000,
  })
  assert.match(String(properties.limit?.description), /^the same as max_pages/)
  assert.deepEqual(
    properties.ordering?.enum,
    ORDERING_CHOICES.map(({ name }) => name),
  )
  assert.equal(properties.concurrency?.maximum, 128)
  assert.ok('webhook' in properties && 'examples' in properties && 'url' in properties)
  assert.doesNotMatch(JSON.stringify(properties), /--[a-z]/)
})

test('a job is resumed with limits of the same table, or without any body', async () => {
  const { paths } = await described()
  const { requestBody } = paths['/crawl/{id}/resume']?.post ?? {}
  assert.equal(requestBody?.required, false)
  const { properties = {} } = requestBody?.content['application/json']?.schema ?? {}
  assert.deepEqual(Object.keys(properties).toSorted(), [
    ...['depth', 'duration', 'harvest_floor', 'limit', 'max_depth', 'max_hot', 'max_pages'],
  ])
})

test('where private addresses are open, no description says otherwise', async () => {
  const text = (document: Described) => JSON.stringify(document.paths['/crawl'])
  assert.match(text(await described()), /public addresses only/)
  assert.doesNotMatch(text(await described({ allowPrivate: true })), /public addresses only/)
})
