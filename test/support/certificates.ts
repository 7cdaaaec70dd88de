// Certificates made on the spot by the openssl command: one authority and what it signs.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Certificate = { readonly key: string; readonly cert: string }
export type Certificates = {
  /** What a client has to trust for `good`, `expired` and `otherName`. */
  readonly authority: string
  /** For `good.test` and `127.0.0.1`. */
  readonly good: Certificate
  readonly expired: Certificate
  readonly otherName: Certificate
  readonly selfSigned: Certificate
}

/** Null where there is no openssl. */
export function makeCertificates(): Certificates | null {
  const folder = mkdtempSync(join(tmpdir(), 'jelajah-certificates-'))
  try {
    return makeIn(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function makeIn(folder: string): Certificates {
  const at = (name: string): string => join(folder, name)
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: folder })
  }
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const read = (name: string): Certificate => ({
    key: readFileSync(at(`${name}.key`), 'utf8'),
    cert: readFileSync(at(`${name}.pem`), 'utf8'),
  })
  const selfSign = (name: string): void =>
    openssl(
      ...['req', '-x509', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.pem`],
      ...['-subj', `/CN=${name}`, '-days', '2'],
    )
  const sign = (name: string, names: string, days: string): Certificate => {
    openssl(
      'req',
      ...newKey,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
    )
    writeFileSync(at(`${name}.ext`), `subjectAltName=${names}\n`)
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'authority.pem', '-CAkey', 'authority.key'],
      ...['-CAcreateserial', '-extfile', `${name}.ext`, '-days', days, '-out', `${name}.pem`],
    )
    return read(name)
  }
  selfSign('authority')
  selfSign('self')
  return {
    authority: read('authority').cert,
    selfSigned: read('self'),
    good: sign('good', 'DNS:good.test,IP:127.0.0.1', '2'),
    expired: sign('expired', 'DNS:good.test', '-1'),
    otherName: sign('other', 'DNS:other.test', '2'),
  }
}
