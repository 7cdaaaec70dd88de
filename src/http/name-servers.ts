// Name servers asked by ourselves: no thread waits for them, however many names are silent.
import { promises } from 'node:dns'
import { type Answer, LookupError } from './resolver.ts'

type Found = { readonly address: string; readonly ttl: number }
/** What came of the question for one family of addresses. */
type Half = { readonly records: readonly Found[]; readonly code: string | null }

/**
 * What a try may take at first; it doubles. Tries are many because c-ares shortens the first of them
 * where a server is quick, and a quick server may still wait for a slow one.
 */
const TRY_MS = 2_000
const TRIES = 5
/** Once there are addresses of one family, the other has so long: some servers never answer for it. */
const OTHER_FAMILY_MS = 300
/** Says that there is no such name, whatever is asked about it. */
const NO_NAME = 'ENOTFOUND'
const NO_ADDRESS = 'ENODATA'

export class NameServers {
  readonly #resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES })

  /** `servers`: each an address, perhaps with a port; null: those of the system. */
  constructor(servers: readonly string[] | null) {
    if (servers !== null) this.#resolver.setServers(servers)
  }

  /** IPv4 first: it is what nearly every machine can reach. Rejects with a LookupError. */
  lookup(name: string): Promise<Answer> {
    const four = halfOf(this.#resolver.resolve4(name, { ttl: true }))
    const six = halfOf(this.#resolver.resolve6(name, { ttl: true }))
    return new Promise((resolve, reject) => {
      const halves: { four?: Half; six?: Half } = {}
      let timer: NodeJS.Timeout | undefined
      const settle = (): void => {
        clearTimeout(timer)
        const known = [halves.four, halves.six].filter((half) => half !== undefined)
        const records = known.flatMap((half) => half.records)
        if (records.length > 0) resolve(answerOf(records))
        else reject(new LookupError(worstOf(known)))
      }
      const take = (family: 'four' | 'six', half: Half): void => {
        halves[family] = half
        const isLast = halves.four !== undefined && halves.six !== undefined
        if (isLast || half.code === NO_NAME) settle()
        else if (half.records.length > 0) timer = setTimeout(settle, OTHER_FAMILY_MS)
      }
      void four.then((half) => take('four', half))
      void six.then((half) => take('six', half))
    })
  }

  /** Nobody waits for an answer any more. */
  close(): void {
    this.#resolver.cancel()
  }
}

async function halfOf(asked: Promise<readonly Found[]>): Promise<Half> {
  try {
    return { records: await asked, code: null }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EFAIL'
    return { records: [], code }
  }
}

function answerOf(records: readonly Found[]): Answer {
  const seconds = Math.min(...records.map(({ ttl }) => ttl))
  return { addresses: records.map(({ address }) => address), ttlMs: seconds * 1000 }
}

/** That one family has no address says nothing while the other could not be asked for. */
function worstOf(halves: readonly Half[]): string {
  const codes = halves.map(({ code }) => code ?? NO_ADDRESS)
  if (codes.includes(NO_NAME)) return NO_NAME
  return codes.find((code) => code !== NO_ADDRESS) ?? NO_ADDRESS
}
