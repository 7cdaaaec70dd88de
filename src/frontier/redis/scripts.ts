// The Lua scripts: they compare the fence and write rows, and know no rule of a frontier.
import { readScript } from '../../db/redis-script.ts'

const CLOCK = 'frontier/clock'

export const BEGIN = readScript('frontier/begin', CLOCK)
export const CLAIM = readScript('frontier/claim', CLOCK)
export const FREE = readScript('frontier/free')
export const OWNERS = readScript('frontier/owners', CLOCK)
export const REPORT = readScript('frontier/report', CLOCK)
export const SCAN = readScript('frontier/scan')
export const TRIM = readScript('frontier/trim')
export const WRITE = readScript('frontier/write')
