// Debian packages as material: used where they are installed, else downloaded and unpacked into
// `bench/out/packages`. Unpacking needs no root, starts no service and is not touched by the
// settings with which small images leave documentation out.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const CACHE = join(import.meta.dirname, '..', 'out', 'packages')

/** A path inside a package, `*` allowed; the package may have other names in other releases. */
export type Wanted = {
  readonly packages: readonly string[]
  readonly path: string
}

/** Where the wanted path is on this machine; throws with advice when it cannot be had. */
export function provide({ packages, path }: Wanted): string {
  const installed = find('/', path)
  if (installed !== null) return installed
  for (const name of packages) {
    const unpacked = find(join(CACHE, name), path)
    if (unpacked !== null) return unpacked
  }
  for (const name of packages) {
    if (!download(name)) continue
    const unpacked = find(join(CACHE, name), path)
    if (unpacked !== null) return unpacked
  }
  throw new Error(
    `The benchmark needs the Debian package ${packages.join(' or ')}, and apt-get could not ` +
      `download it. Install it by hand (it must bring /${path}), or run the benchmark on ` +
      'Debian 12 with network access.',
  )
}

function find(root: string, path: string): string | null {
  const [first] = existsSync(root) ? globSync(path, { cwd: root }).sort() : []
  return first === undefined ? null : join(root, first)
}

function download(name: string): boolean {
  const folder = join(CACHE, `${name}.part`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  try {
    if (!fetchInto(folder, name)) return false
    const [archive] = readdirSync(folder).filter((file) => file.endsWith('.deb'))
    if (archive === undefined) return false
    const root = join(folder, 'root')
    mkdirSync(root)
    run('dpkg-deb', ['-x', join(folder, archive), root])
    renameSync(root, join(CACHE, name))
    return true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function fetchInto(folder: string, name: string): boolean {
  process.stderr.write(`Downloading the package ${name} …\n`)
  if (run('apt-get', ['-q', 'download', name], folder)) return true
  // Small images come without package lists, others with old ones; only root may renew them.
  if (process.getuid?.() !== 0) return false
  return run('apt-get', ['-q', 'update']) && run('apt-get', ['-q', 'download', name], folder)
}

function run(program: string, args: readonly string[], cwd?: string): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: 300_000, ...(cwd && { cwd }) })
    return true
  } catch {
    return false
  }
}
