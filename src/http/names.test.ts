// Name lookups answered by a real server, on loopback.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type Says, serveNames } from '../../test/support/dns-server.ts'
import { fetchWith, openTestFetcher, summary } from '../../test/support/fetch-kit.ts'
import { listen } from '../../test/support/hostile-server.ts'
import { HostsFile, nameConfigOf, parseHosts } from './name-config.ts'
import { openNames } from './names.ts'

const folder = mkdtempSync(join(tmpdir(), 'jelajah-names-'))
after(() => rmSync(folder, { recursive: true }))

async function ask(name: string, says: Says, hosts = ''): Promise<string> {
  const path = join(folder, 'hosts')
  writeFileSync(path, hosts)
  await using server = await serveNames(() => says)
  const names = openNames({ servers: [server.address], hosts: new HostsFile(path) })
  try {
    const { addresses, ttlMs } = await names.lookup(name)
    return `${addresses.join(' ')} ${ttlMs ?? '-'}`
  } catch (error) {
    return String((error as { code?: string }).code)
  } finally {
    names.close()
  }
}

test('a name server is asked for both families, IPv4 goes first', async () => {
  assert.equal(await ask('a.test', ['2606::1', '1.2.3.4']), '1.2.3.4 2606::1 60000')
  assert.equal(await ask('a.test', ['2606::1']), '2606::1 60000')
  assert.equal(await ask('a.test', []), 'ENODATA')
  assert.equal(await ask('a.test', 'missing'), 'ENOTFOUND')
  assert.equal(await ask('a.test', 'broken'), 'ESERVFAIL')
})

test('the hosts file goes before any name server', async () => {
  assert.equal(await ask('a.test', ['1.2.3.4'], '10.0.0.7 x A.test # mine\n'), '10.0.0.7 -')
  assert.equal(await ask('b.test', ['1.2.3.4'], '10.0.0.7 a.test\n'), '1.2.3.4 60000')
})

test('a hosts file is read as everybody reads it', () => {
  const text =
    '# no\n127.0.0.1\tlocalhost\n::1 localhost ip6\nnonsense a\n1.1.1.1 a a. #b\nfe80::1%1 z'
  assert.deepEqual(
    [...parseHosts(text)],
    [
      ['localhost', ['127.0.0.1', '::1']],
      ['ip6', ['::1']],
      ['a', ['1.1.1.1', '1.1.1.1']],
    ],
  )
})

test('we ask name servers ourselves where the system would do no more than that', () => {
  const resolv = 'nameserver 127.0.0.53\n'
  const own = ['files dns', 'files mymachines resolve [!UNAVAIL=return] dns myhostname', null]
  for (const line of own) {
    const nsswitch = line === null ? null : `passwd: files\nhosts:\t${line} # x\n`
    assert.deepEqual(nameConfigOf(nsswitch, resolv), { mark: resolv, ndots: 1, hasMdns: false })
  }
  const mdns = nameConfigOf('hosts: files mdns4_minimal [NOTFOUND=return] dns', resolv)
  assert.equal(mdns?.hasMdns, true)
  for (const line of ['files nis dns', 'dns files', 'files', 'files ldap dns']) {
    assert.equal(nameConfigOf(`hosts: ${line}`, resolv), null, line)
  }
  for (const text of [null, '', 'search a.test\n', '# nameserver 1.1.1.1']) {
    assert.equal(nameConfigOf(null, text), null, String(text))
  }
  const kubernetes = nameConfigOf(null, `search svc.local\n${resolv}options ndots:5\n`)
  assert.equal(kubernetes?.ndots, 5)
  assert.equal(nameConfigOf(null, `${resolv}options ndots:5\n`)?.ndots, 1, 'nothing to search in')
})

test('a name leads to no private address, whoever typed it and however often it changes', async () => {
  let connections = 0
  const canary = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await listen(canary)
  const host = `metadata.test:${port}`
  const answers = [['127.0.0.1'], ['::1'], ['11.0.0.1', '127.0.0.1'], ['::ffff:7f00:1']]
  for (const says of answers) {
    await using server = await serveNames(() => says)
    await using fetcher = openTestFetcher({ dns: [server.address], trustedHosts: new Set([host]) })
    const fetched = await fetchWith(fetcher, `http://${host}/`)
    assert.match(summary(fetched), /^refused private-address: /)
  }
  canary.close()
  assert.equal(connections, 0)
})
