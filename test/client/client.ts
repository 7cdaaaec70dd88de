// A program somebody might write against the API, with types made from the OpenAPI document: starts a
// crawl, waits for it, and reads it in every way. It compiles only while the document tells the truth.
import createClient from 'openapi-fetch'
import type { paths } from './generated.ts'

export type Told = {
  readonly status: string
  readonly pages: number
  readonly links: number
  readonly rows: number
  readonly host: string
  readonly refused: number
  readonly mapped: number
  readonly found: number
  /** The fields that a bad request was refused for. */
  readonly refusedFields: readonly string[]
}

export async function crawlAndRead(baseUrl: string, seed: string): Promise<Told> {
  const client = createClient<paths>({ baseUrl })
  const bad = await client.POST('/crawl', { body: { url: seed, max_pages: 0, delay: -1 } })
  const refusedFields = bad.error?.error.problems?.map(({ at }) => at) ?? []
  const started = await client.POST('/crawl', { body: { url: seed, max_pages: 5, delay: 0 } })
  if (started.data === undefined) throw new Error(started.error.error.message)
  const id: string = started.data.job_id
  const path = { path: { id } }
  const job = await finished(client, id)
  const rows = await client.GET('/crawl/{id}/pages', { params: { ...path, query: { limit: 3 } } })
  const urls = await client.GET('/crawl/{id}/urls', {
    params: { ...path, query: { state: 'refused' } },
  })
  const map = await client.GET('/crawl/{id}/graph/pages', { params: path })
  const ask = () => client.GET('/search', { params: { query: { q: 'the', crawl: id } } })
  let search = await ask()
  // The index may still be behind what was stored a moment ago.
  while ((search.data?.behind ?? 0) > 0) search = await ask()
  const first = rows.data?.pages[0]
  // Behind the pages stand fetches that failed.
  const pages = job.pages.filter((page) => 'links' in page)
  return {
    status: job.status,
    pages: pages.length,
    links: pages.reduce((sum: number, page) => sum + page.links.length, 0),
    rows: rows.data?.pages.length ?? 0,
    host: first?.host ?? '',
    refused: urls.data?.urls.length ?? 0,
    mapped: map.data?.nodes.length ?? 0,
    found: search.data?.hits.length ?? 0,
    refusedFields,
  }
}

type Client = ReturnType<typeof createClient<paths>>
type Job = paths['/crawl/{id}']['get']['responses'][200]['content']['application/json']['job']

async function finished(client: Client, id: string): Promise<Job> {
  for (;;) {
    const { data, error } = await client.GET('/crawl/{id}', { params: { path: { id } } })
    if (data === undefined) throw new Error(error.error.message)
    const { status } = data.job
    if (status !== 'started' && status !== 'running') return data.job
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
