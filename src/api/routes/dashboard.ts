// The dashboard: its built files, or a notice if there are none.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import type { ApiDeps } from '../api-deps.ts'

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Jelajah</title>
<h1>Jelajah</h1>
<p>The server runs, but its dashboard has not been built. In the folder of Jelajah:</p>
<pre>npm install
sh scripts/build-dashboard</pre>
<p>The API works without it: <a href="/openapi.json">/openapi.json</a>.</p>
</html>
`

const FOREVER = 'public, max-age=31536000, immutable'

export function dashboardRoutes({ assetsDir }: ApiDeps): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: true, rateLimit: false }
      route.schema = { ...route.schema, hide: true }
    })
    if (assetsDir === null || !existsSync(join(assetsDir, 'index.html'))) {
      app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(NOT_BUILT))
      return
    }
    // Looked up on disk each time: the dashboard may be rebuilt while the server runs.
    const assets = join(assetsDir, 'assets')
    await app.register(fastifyStatic, {
      root: assets,
      prefix: '/assets/',
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        // Files in assets/ are named after their content.
        const isNamed = path.startsWith(assets)
        reply.header('cache-control', isNamed ? FOREVER : 'no-cache')
      },
    })
    app.get('/', (_request, reply) => reply.sendFile('index.html', assetsDir))
  }
}
