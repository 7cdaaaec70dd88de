// Which methods a path has: a path that is there, asked in a way that it is not made for, is 405, not 404.
import type { FastifyInstance } from 'fastify'

type Known = { readonly form: RegExp; readonly methods: Set<string> }

/** Learns from every route that is added after this. The answer to a path: its methods; [] for none. */
export function watchMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { form: formOf(url), methods: new Set<string>() }
    known.set(url, entry)
    for (const one of [method].flat()) entry.methods.add(one)
  })
  return (path) => {
    const matching = [...known.values()].filter(({ form }) => form.test(path))
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort()
  }
}

/** `/crawl/:id` is any one segment there, a star anything. */
function formOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+'
    return segment === '*' ? '.*' : segment.replace(/[^\w-]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
