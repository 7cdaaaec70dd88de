// Idempotency keys: the same request sent again, because no answer came, is the same order; a changed
// one is another.
export class OrderKeys {
  #sent = ''
  #key = ''

  keyFor(body: unknown): string {
    const text = JSON.stringify(body)
    if (text !== this.#sent || this.#key === '') {
      this.#sent = text
      this.#key = randomKey()
    }
    return this.#key
  }
}

// `crypto.randomUUID` is only there on localhost and over https.
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
