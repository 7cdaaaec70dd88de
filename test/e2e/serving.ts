// The real server in a process of its own, asked as any client would.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { jelajah, type Run } from './crawling.ts'

export type FetchedPage = {
  readonly url: string
  readonly status_code: number
  readonly title: string
  readonly links: readonly string[]
  readonly crawled_at: number
}

export type Job = {
  readonly id: string
  readonly status: string
  readonly seed_url: string
  readonly max_pages: number
  readonly pages: readonly FetchedPage[]
  readonly started_at: number
  readonly ended_at: number | null
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says, a test looks into it.
  readonly json: any
}

export type Served = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  readonly run: Run
  ask(path: string, init?: RequestInit): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  /** Takes a job; its id. */
  crawl(body: Readonly<Record<string, unknown>>): Promise<string>
  /** The job once it has come to one of these, or to any end. */
  ended(id: string, statuses?: readonly string[]): Promise<Job>
}

const ENDS = ['completed', 'stopped', 'failed']
const PATIENCE_MS = 120_000
const LOOK_AGAIN_MS = 50

/** Starts `jelajah serve` on a free port and waits until it listens. */
export async function startServer(
  dataDir: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const args = ['serve', '--port', '0', '--json', '--data', dataDir, ...flags]
  const run = jelajah(args, { env })
  const { url, pid } = JSON.parse(await firstLine(run))
  const ask = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    const { status, headers } = response
    return { status, headers, text, json: isJson ? JSON.parse(text) : null }
  }
  const post = (path: string, body: unknown): Promise<Answer> => {
    const headers = { 'content-type': 'application/json' }
    return ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  return {
    url,
    pid,
    run,
    ask,
    post,
    async crawl(body) {
      const { status, text, json } = await post('/crawl', body)
      assert.equal(status, 200, text)
      return json.job_id
    },
    async ended(id, statuses = ENDS) {
      await until(
        async () => {
          const { job } = (await ask(`/crawl/${id}/overview`)).json
          return statuses.includes(job.status) || (ENDS.includes(job.status) && job.note !== '')
        },
        `${id} to come to ${statuses.join(' or ')}`,
      )
      return (await ask(`/crawl/${id}`)).json.job
    },
    async [Symbol.asyncDispose]() {
      run.process.kill('SIGTERM')
      await run.ended
    },
  }
}

/** Waits until a claim holds; fails after a time no healthy machine needs. */
export async function until(
  claim: () => boolean | Promise<boolean>,
  what = 'it',
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await claim())) {
    assert.ok(performance.now() < deadline, `waited too long for ${what}`)
    await wait(LOOK_AGAIN_MS)
  }
}

async function firstLine({ process: child, ended }: Run): Promise<string> {
  let text = ''
  const { stdout } = child
  assert.ok(stdout !== null)
  const early = ended.then(({ code, stderr }) =>
    assert.fail(`the server ended with ${code}: ${stderr}`),
  )
  while (!text.includes('\n')) {
    const [chunk] = await Promise.race([once(stdout, 'data'), early])
    text += chunk
  }
  return text.slice(0, text.indexOf('\n'))
}
