// The webs that are crawled: real pages from documentation packages, and our own sample web.
import { dirname } from 'node:path'
import type { Site } from './nginx.ts'
import { provide, type Wanted } from './packages.ts'

export type Web = {
  readonly name: string
  readonly about: string
  /** Makes its folders ready, below `work` where they must be written. */
  prepare(work: string, quick: boolean): Promise<readonly Site[]>
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

export const realPages: Web = {
  name: 'real pages',
  about: 'documentation packages of Debian',
  async prepare(_work, quick) {
    const chosen = DOCUMENTATION.filter((docs) => !quick || docs.quick)
    return chosen.map((docs) => ({
      name: docs.name,
      folder: dirname(provide(docs)),
      entries: ['/index.html'],
    }))
  },
}

export const WEBS: readonly Web[] = [realPages]
