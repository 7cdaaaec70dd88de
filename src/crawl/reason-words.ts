// Reasons with what they mean, for who asked for a crawl and may have mistyped an address.

const WORDS: readonly (readonly [reason: RegExp, words: string])[] = [
  [/^dns: ENOTFOUND/, 'there is no such host; check the spelling'],
  [/^dns: ENODATA/, 'its name has no address'],
  [/^dns: E(?:TIMEOUT|AGAIN)/, 'no name server answered for it in time'],
  [/^dns\b/, 'the name of the host could not be looked up'],
  [/^connect: ECONNREFUSED/, 'nothing listens there'],
  [/^connect: E(?:HOST|NET)UNREACH/, 'there is no way to it from here'],
  [/^connect\b/, 'the connection could not be made'],
  [/^timeout-/, 'it did not answer in time'],
  [/^tls: CERT_HAS_EXPIRED/, 'its certificate has expired'],
  [/^tls: CERT_NOT_YET_VALID/, 'its certificate is not valid yet'],
  [/^tls: ERR_TLS_CERT_ALTNAME_INVALID/, 'its certificate is for another name'],
  [/^tls: \w*SELF_SIGNED/, 'its certificate is signed by itself, or by nobody who is known'],
  [/^tls: UNABLE_TO_/, 'whoever signed its certificate is not known'],
  [/^tls: ERR_SSL_WRONG_VERSION_NUMBER/, 'it does not speak TLS there'],
  [/^tls: \w+_NO_APPLICATION_PROTOCOL/, 'it speaks HTTP/2 alone; --http2 does, too'],
  [/^tls: \w+_PROTOCOL_VERSION/, 'it only speaks a version of TLS that is not safe any more'],
  [/^tls\b/, 'no secure connection: its certificate or its encryption is not in order'],
  [/^http-404$/, 'there is no such page'],
  [/^http-(?:401|403)$/, 'it wants nobody to read this, or no crawler'],
  [/^http-429$/, 'it has too many requests'],
  [/^http-5/, 'its server is in trouble'],
  [/^port\b/, 'this port is not one of the web'],
  [/^robots$/, 'its robots.txt forbids it'],
  [/^crawl-delay\b/, 'that is more than --max-crawl-delay'],
  [/^host-unreachable\b/, 'it gave no answer'],
  [/^robots-unreachable$/, 'without its robots.txt nothing of it may be fetched'],
  [/^private-address: a server of Jelajah/, 'no crawl goes there'],
  [
    /^private-address/,
    'for the crawl, or for the jobs of a server, it is opened by --allow-private',
  ],
]

export function inWords(reason: string): string {
  const [, words] = WORDS.find(([form]) => form.test(reason)) ?? []
  return words === undefined ? reason : `${reason}: ${words}`
}
