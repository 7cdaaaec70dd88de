// Words that say how far a crawl goes, in which order, and how it reaches hosts.

export const SCOPES = ['host', 'domain', 'any'] as const

export const HOST_POLICIES = ['fair', 'largest', 'best'] as const
export type HostPolicyName = (typeof HOST_POLICIES)[number]

/** `PATTERN=ADDR:PORT` of `--connect-to`: hosts that match are reached under that address. */
export type ConnectTo = {
  readonly pattern: string
  readonly address: string
  readonly port: number
}
