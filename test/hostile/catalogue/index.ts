// Every case, in the order of its letter and number.
import type { HostileCase } from '../case.ts'
import { ADDRESSES } from './addresses.ts'
import { API } from './api.ts'
import { COMPRESSION } from './compression.ts'
import { COOKIES } from './cookies.ts'
import { ENCODINGS } from './encodings.ts'
import { FRAMING } from './framing.ts'
import { OVERLOAD } from './overload.ts'
import { PAGES } from './pages.ts'
import { REDIRECTS } from './redirects.ts'
import { ROBOTS } from './robots.ts'
import { SECURE } from './secure.ts'
import { STORED } from './stored.ts'
import { TRANSPORT } from './transport.ts'
import { TRAPS } from './traps.ts'
import { URLS } from './urls.ts'

export const CATALOGUE: readonly HostileCase[] = [
  ...TRANSPORT,
  ...FRAMING,
  ...COMPRESSION,
  ...REDIRECTS,
  ...ADDRESSES,
  ...SECURE,
  ...ROBOTS,
  ...OVERLOAD,
  ...PAGES,
  ...ENCODINGS,
  ...URLS,
  ...TRAPS,
  ...COOKIES,
  ...STORED,
  ...API,
]
