// Certificates for the hostile web, made on the spot by openssl: one authority, and what servers do wrong with theirs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext, type TlsOptions } from 'node:tls'

export type HostileTls = {
  /** A file that a client has to trust. */
  readonly authority: string
  readonly options: TlsOptions
}

type Leaf = {
  readonly names: string
  readonly notBefore?: string
  readonly notAfter?: string
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
const CA_CONFIG = `[ca]
default_ca = own
[own]
database = index.txt
serial = serial.txt
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
`
const MANY_NAMES = Array.from({ length: 2000 }, (_, n) => `DNS:n${n}.many.test`).join(',')

/** By how the name of a host begins; all others have a good one. */
const LEAVES: Readonly<Record<string, Leaf>> = {
  good: { names: 'DNS:*.tls.test' },
  expired: { names: 'DNS:*.tls.test', notBefore: '20200101000000Z', notAfter: '20200201000000Z' },
  future: { names: 'DNS:*.tls.test', notBefore: '20900101000000Z', notAfter: '20910101000000Z' },
  othername: { names: 'DNS:elsewhere.example' },
  manynames: { names: MANY_NAMES },
}

/** Null where there is no openssl. */
export function makeTls(folder: string): HostileTls | null {
  try {
    mkdirSync(folder, { recursive: true })
    return makeIn(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function makeIn(folder: string): HostileTls {
  const openssl = (...args: string[]): void => {
    execFileSync('openssl', args, { stdio: 'pipe', cwd: folder })
  }
  for (const name of ['authority', 'stranger', 'selfsigned']) {
    openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
      '-subj',
      `/CN=${name}`,
      '-days',
      '9',
    )
  }
  const sign = (name: string, authority: string, leaf: Leaf): void => {
    const subject = ['-subj', `/CN=${name}`]
    openssl('req', ...NEW_KEY, '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject)
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${leaf.names}\n`)
    const by = authority
    if (leaf.notBefore === undefined || leaf.notAfter === undefined) {
      const from = ['-in', `${name}.csr`, '-CA', `${by}.pem`, '-CAkey', `${by}.key`]
      const how = ['-CAcreateserial', '-extfile', `${name}.ext`, '-days', '9']
      openssl('x509', '-req', ...from, ...how, '-out', `${name}.pem`)
      return
    }
    // Only `openssl ca` can choose both dates, in every version.
    writeFileSync(join(folder, 'ca.cnf'), CA_CONFIG)
    writeFileSync(join(folder, 'index.txt'), '')
    const dates = ['-startdate', leaf.notBefore, '-enddate', leaf.notAfter]
    const from = ['-in', `${name}.csr`, '-cert', `${by}.pem`, '-keyfile', `${by}.key`]
    const how = [
      '-config',
      'ca.cnf',
      '-batch',
      '-notext',
      '-create_serial',
      '-extfile',
      `${name}.ext`,
    ]
    openssl('ca', ...how, ...from, ...dates, '-outdir', '.', '-out', `${name}.pem`)
  }
  const contexts = new Map<string, SecureContext>()
  const use = (name: string, options: TlsOptions = {}): void => {
    const key = readFileSync(join(folder, `${name}.key`))
    const cert = readFileSync(join(folder, `${name}.pem`))
    contexts.set(name, createSecureContext({ key, cert, ...options }))
  }
  for (const [name, leaf] of Object.entries(LEAVES)) {
    sign(name, 'authority', leaf)
    use(name)
  }
  sign('unknownca', 'stranger', { names: 'DNS:*.tls.test' })
  use('unknownca')
  use('selfsigned')
  const good = {
    key: readFileSync(join(folder, 'good.key')),
    cert: readFileSync(join(folder, 'good.pem')),
  }
  contexts.set(
    'oldtls',
    createSecureContext({
      ...good,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  )
  const chain = Buffer.concat([
    good.cert,
    ...Array(400).fill(readFileSync(join(folder, 'unknownca.pem'))),
  ])
  contexts.set('longchain', createSecureContext({ key: good.key, cert: chain }))
  return {
    authority: join(folder, 'authority.pem'),
    options: {
      ...good,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
      ALPNProtocols: ['http/1.1'],
      SNICallback: (name, done) =>
        done(null, contexts.get(name.split(/[.-]/)[0] ?? '') ?? contexts.get('good')),
    },
  }
}
