// What must not compile: each line is wrong in one way that the document tells.
import createClient from 'openapi-fetch'
import type { paths } from './generated.ts'

const client = createClient<paths>({ baseUrl: '' })
export const wrong = [
  client.POST('/crawl', { body: { url: 1 } }),
  client.POST('/crawl', { body: { url: 'x', ordering: 'no-such-ordering' } }),
  client.GET('/crawl/{id}/urls', { params: { path: { id: 'crawl_1' }, query: { state: 'lost' } } }),
  client.GET('/no/such/path'),
]
