// Serves folders as hosts on loopback with nginx, one process, and keeps its account of requests:
// both crawlers are measured against the same server and by the same log.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export type Site = {
  /** Served as `NAME.localhost`. */
  readonly name: string
  readonly folder: string
  /** What a front page made for it links to; absent: the folder has one of its own. */
  readonly entries?: readonly string[]
  /** Its files are named by path and query together, and all of them are pages in UTF-8. */
  readonly allPages?: true
  /** The host is added to every title, so that no page equals one of another host. */
  readonly ownTitles?: true
}

/** What the server saw of one crawl. */
export type Served = {
  readonly requests: number
  readonly bytes: number
  readonly connections: number
  /** Requests by status. */
  readonly statuses: Readonly<Record<string, number>>
}

export type Server = AsyncDisposable & {
  readonly seeds: readonly string[]
  /** The account since the last call of this. */
  takeLog(): Promise<Served>
}

const READY_MS = 10_000
const PAGES_BY_NAME = `default_type text/html;
    charset utf-8;
    try_files $request_uri \${uri}index.html =404;`
const OWN_TITLES = `sub_filter '</title>' ' on $host</title>';`

export type ServeOptions = {
  readonly binary: string
  readonly sites: readonly Site[]
  readonly port: number
  /** A folder of its own. */
  readonly work: string
}

export async function serve({ binary, sites, port, work }: ServeOptions): Promise<Server> {
  const log = join(work, 'access.log')
  mkdirSync(join(work, 'front'), { recursive: true })
  for (const site of sites) writeFrontPage(work, site)
  writeFileSync(join(work, 'nginx.conf'), configOf(sites, work, port))
  const errors = join(work, 'error.log')
  const args = ['-p', work, '-e', errors, '-c', join(work, 'nginx.conf')]
  const child = spawn(binary, args, { stdio: 'ignore' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  await listening(port, () => {
    if (child.exitCode === null) return
    throw new Error(`nginx did not start:\n${readFileSync(errors, 'utf8')}`)
  })
  return {
    seeds: sites.map(({ name }) => `http://${name}.localhost:${port}/`),
    takeLog: async () => {
      // nginx writes its buffer within a second (flush=1s).
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const text = readFileSync(log, 'utf8')
      truncateSync(log)
      return readLog(text)
    },
    async [Symbol.asyncDispose]() {
      process.removeListener('exit', kill)
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function writeFrontPage(work: string, { name, entries }: Site): void {
  if (entries === undefined) return
  const links = entries.map((path) => `<li><a href="${path}">${path}</a></li>`).join('\n')
  const page = `<!doctype html><title>${name}</title>\n<h1>${name}</h1>\n<ul>\n${links}\n</ul>\n`
  writeFileSync(join(work, 'front', `${name}.html`), page)
}

/** No compression: both crawlers get, and decode, the same bytes. */
function configOf(sites: readonly Site[], work: string, port: number): string {
  return `daemon off;
master_process off;
pid ${work}/nginx.pid;
worker_rlimit_nofile 8192;
events { worker_connections 2048; }
http {
  types {
    text/html html htm;
    text/plain txt;
    text/css css;
    text/xml xml;
    application/javascript js;
    application/json json;
    image/png png;
    image/gif gif;
    image/jpeg jpg jpeg;
    image/svg+xml svg;
  }
  default_type application/octet-stream;
  types_hash_max_size 2048;
  server_names_hash_bucket_size 128;
  log_format account '$status $body_bytes_sent $connection $host$request_uri';
  access_log ${work}/access.log account buffer=64k flush=1s;
  client_body_temp_path ${work}/body;
  proxy_temp_path ${work}/proxy;
  fastcgi_temp_path ${work}/fastcgi;
  uwsgi_temp_path ${work}/uwsgi;
  scgi_temp_path ${work}/scgi;
  gzip off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 60s;
  keepalive_requests 1000000;
  open_file_cache max=50000 inactive=600s;
  open_file_cache_valid 600s;
  server { listen 127.0.0.1:${port} default_server backlog=1024; return 404; }
${sites.map((site) => blockOf(site, work, port)).join('')}}
`
}

function blockOf(site: Site, work: string, port: number): string {
  const { name, folder, entries, allPages, ownTitles } = site
  return `  server {
    listen 127.0.0.1:${port};
    server_name ${name}.localhost;
    root ${folder};
    index index.html;
    ${entries ? `location = / { root ${work}/front; try_files /${name}.html =404; }` : ''}
    ${allPages ? PAGES_BY_NAME : ''}
    ${ownTitles ? OWN_TITLES : ''}
  }
`
}

function readLog(text: string): Served {
  const connections = new Set<string>()
  const statuses: Record<string, number> = {}
  let requests = 0
  let bytes = 0
  for (const line of text.split('\n')) {
    const [status = '', sent = '0', connection = ''] = line.split(' ')
    if (status === '') continue
    requests += 1
    bytes += Number(sent)
    connections.add(connection)
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  return { requests, bytes, connections: connections.size, statuses }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

async function listening(port: number, check: () => void): Promise<void> {
  const until = performance.now() + READY_MS
  while (!(await answers(port))) {
    check()
    if (performance.now() > until) throw new Error(`nginx does not listen on port ${port}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
