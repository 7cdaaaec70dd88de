// The webs that are crawled: real pages from documentation packages, and our own sample web.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathOf } from '../../src/sample-web/path.ts'
import { renderPage } from '../../src/sample-web/render.ts'
import { createSite } from '../../src/sample-web/site.ts'
import type { Site } from './nginx.ts'
import { CACHE, provide, type Wanted } from './packages.ts'

export type Web = {
  readonly name: string
  readonly about: string
  /** Makes its folders ready, below `work` where they must be written. */
  prepare(options: Preparing): Promise<readonly Site[]>
}

export type Preparing = {
  readonly work: string
  /** Where it will be served: pages may name it in their links. */
  readonly port: number
  /** A smaller web will do. */
  readonly quick: boolean
  /** How many pages, where they are made for it. */
  readonly pages?: number
  /** Real pages are served on so many hosts each, with another title on each: a larger web of the same pages. */
  readonly times?: number
}

export const NGINX: Wanted = { packages: ['nginx', 'nginx-core'], path: 'usr/sbin/nginx' }

type Documentation = Wanted & { readonly name: string; readonly quick?: true }

/** Five unlike generators of HTML (Sphinx twice, AsciiDoc, hand-made, kernel-doc), unequal sizes. */
const DOCUMENTATION: readonly Documentation[] = [
  {
    name: 'linux',
    packages: ['linux-doc-6.1', 'linux-doc-6.12', 'linux-doc'],
    path: 'usr/share/doc/linux-doc-*/html/index.html',
  },
  {
    name: 'sqlite',
    packages: ['sqlite3-doc'],
    path: 'usr/share/doc/sqlite3/index.html',
    quick: true,
  },
  {
    name: 'django',
    packages: ['python-django-doc'],
    path: 'usr/share/doc/python-django-doc/html/index.html',
  },
  {
    name: 'python',
    packages: ['python3.11-doc', 'python3.13-doc', 'python3.12-doc'],
    path: 'usr/share/doc/python3.*/html/index.html',
    quick: true,
  },
  {
    name: 'git',
    packages: ['git-doc'],
    path: 'usr/share/doc/git-doc/index.html',
    quick: true,
  },
]

/** A folder that holds all of the documentation, and perhaps more. */
export function documentationRoot(): string {
  const files = DOCUMENTATION.map(provide)
  return files.some((file) => file.startsWith(CACHE)) ? CACHE : '/usr/share/doc'
}

export const realPages: Web = {
  name: 'real pages',
  about: 'documentation packages of Debian',
  async prepare({ quick, times = 1 }) {
    const chosen = DOCUMENTATION.filter((docs) => !quick || docs.quick)
    const sites = chosen.map((docs) => ({
      name: docs.name,
      folder: dirname(provide(docs)),
      entries: ['/index.html'],
    }))
    if (times === 1) return sites
    return Array.from({ length: times }, (_, nth) =>
      sites.map((site) => ({ ...site, name: `${site.name}${nth}`, ownTitles: true as const })),
    ).flat()
  },
}

/** Only ordinary pages: a folder of files cannot answer with redirects or headers of its own. */
export const sampleWeb: Web = {
  name: 'sample web',
  about: 'generated pages on hosts of very unequal size',
  async prepare({ work, port, quick, pages = quick ? 1000 : 5000 }) {
    const web = { seed: 1, pages, specials: 0, sitemaps: false, gzip: false }
    const site = createSite(web)
    return site.hosts.map((host) => {
      const folder = join(work, 'sample', host.name)
      for (let index = 0; index < host.pages; index++) {
        const path = pathOf(host, index)
        const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, renderPage(site, host, index, port))
      }
      return { name: host.name.replace(/\.localhost$/, ''), folder, allPages: true }
    })
  },
}

export const WEBS: readonly Web[] = [realPages, sampleWeb]
