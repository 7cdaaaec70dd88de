// Every case, in the order of its letter and number.
import type { HostileCase } from '../case.ts'
import { ADDRESSES } from './addresses.ts'
import { COMPRESSION } from './compression.ts'
import { FRAMING } from './framing.ts'
import { REDIRECTS } from './redirects.ts'
import { SECURE } from './secure.ts'
import { TRANSPORT } from './transport.ts'

export const CATALOGUE: readonly HostileCase[] = [
  ...TRANSPORT,
  ...FRAMING,
  ...COMPRESSION,
  ...REDIRECTS,
  ...ADDRESSES,
  ...SECURE,
]
