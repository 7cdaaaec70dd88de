// The frontier in Redis: Redis is the truth, and whoever has it open keeps nothing but caches. Every
// step is one Lua script over keys of one tag; the scripts are in lua/, put together in
// scripts.ts. What an ordering computes stays in TypeScript, and so does whether rules admit a URL.
//
// Keys of one shard of one crawl, each after `{PREFIX:CRAWL:SHARD}:`
//
//   meta       HASH    layout, settings of this run, counters: c0…c8 URLs by state (states as SQLite's),
//                      lastId, lastHost, lastMap, lastToken, runs, clean, restedAt, revisits, learned…;
//                      server, epoch, heardAt, ahead, oldToken: see server.lua
//   u:N        STRING  records of 36 bytes of the URLs 256N … 256N+255: state B, reason B, via B, hops B,
//                      depth H, tries H, origin I4, foundOn i6 (0: none, negative: a sitemap), foundAt I6,
//                      inLinks I4, priority double; little endian
//   t:N        LIST    texts of the URLs 64N … 64N+63 (N = 0: from 1 on)
//   y:N g:N    HASH    of the same: id → a reason that no number says; id → signals, as text with commas
//   s:HHHH     HASH    seen: 8 letters of the hash → id; HHHH are its first 16 bits
//   q:ORIGIN   ZSET    what waits: score -priority, member the id with ten digits
//   v:ORIGIN   ZSET    what is to be visited again; `again` HASH: id → { priority, tries, … } (revisits.lua)
//   hosts      HASH    name → id; an origin is 2 × id, and one more for https
//   h:ID       STRING  a host, packed: see hosts.lua
//   sites      HASH    registrable domain → packed; `seedSites` SET, `seeds` ZSET of active ones by served,
//                      `soon` ZSET of them by when they count no more, when none of their hosts is ready
//   ready      ZSET    hosts that may be visited, by rank, and `slow` those of them that take long;
//                      `resting` ZSET, by the moment they may be
//   w:SITE     ZSET    under the fair policy, of a site with several hosts those that may be visited; only
//                      the first of them is in `ready`
//   retry      ZSET    kind, id ':' origin → moment of the next try; kind p page, s sitemap, r revisit
//   parked     ZSET    the same of sitemaps that this run does not want
//   troubled   SET     hosts that fail or whose robots.txt is out of reach
//   holds      HASH    kind and id, or 'o' and token → a lease that is out; `held:S` SET: those of a session
//   sessions   ZSET    session → until when it lives; `answer:S` HASH its last leases, `own:S` ZSET
//                      hosts it keeps for itself
//   maps map   HASH    sitemap URL → id; id → packed; `m:ORIGIN` LIST of those that wait
//   mapUse     HASH    host → entries and bytes of its sitemaps, and how many in a row brought nothing, packed;
//                      `mapNew`: id → URLs to visit that parts of a sitemap brought that is being read
//   mapsOut    HASH    host → its sitemaps that are leased
//   robots     HASH    origin's name → JSON, packed (packed-text.ts)
//   i:HOST     HASH    template of URLs → what its pages have shown (traps.lua); `ic:HOST` those that may
//                      be closed; `spent` HASH what hosts and domains have cost (spending.lua)
//   e:N        HASH    edges: id → step and ids, packed (edges.lua), where depths are exact or the graph is
//                      ranked; `ranking` says who ranks it, meta.rankedAt when that was, in pages
//   ordering   HASH    what was learned: name, state in base64, learned: pages it stems from
//   heads      ZSET    of a patient crawl: hosts that are soon free → -score of their best
//   waiting    ZSET    of a crawl with a limited buffer: all that waits, as in q:
//   judged     HASH    by: criteria that rows were judged by, upTo: how far the newest came; `judging`: who
//   reader     STRING  session that reads all hosts; `shown` STRING what it leaves to the others
//   lowering   LIST    id ':' depth: shorter paths that are still to be followed
//   leads      HASH    id of a redirect → id of its target
//   gone       LIST    ids refused as out of reach, for the next run; `goneMaps` of sitemaps
//   handed:SHARD STREAM what of late was given to another shard (handed-links.ts); `lastPages` of the first
//                      shard: who leases the last pages of a divided crawl (last-pages.ts)
//   changed    ZSET    ids whose rows differ from their copy → sequence; kept when meta.copy is 1

/** Another layout is refused: raise it when what is above changes its meaning. */
export const LAYOUT = 1
/** The layout of one that is being made anew: no number, so no program takes it for its own. */
export const UNFINISHED = 'unfinished'

/** Reasons that a row keeps as a number, from 1 on; only ever append. */
export const SHORT_REASONS = [
  'scope',
  'filter',
  'depth',
  'nofollow',
  'focus',
  'type',
  'length',
  'trap',
  'private-address',
  'port',
  'buffer',
  'robots',
  'robots-unreachable',
  'host-unreachable',
  'off-topic',
  'too-short',
  'http-404',
  'http-403',
  'http-500',
  'connect',
] as const

/** Where one shard of a crawl's frontier is. */
export type ShardName = {
  readonly prefix: string
  readonly crawlId: number
  readonly shard: number
}

/** What all keys of a shard begin with: one tag, so that all are on one node of a Cluster. */
export function keyPrefix({ prefix, crawlId, shard }: ShardName): string {
  return `{${prefix}:${crawlId}:${shard}}:`
}

/** The one key that scripts are given; they find the others by it. */
export function metaKey(name: ShardName): string {
  return `${keyPrefix(name)}meta`
}

/** Of all shards of a crawl's frontier. */
export function shardNames(
  { prefix, crawlId }: Omit<ShardName, 'shard'>,
  count: number,
): readonly ShardName[] {
  return Array.from({ length: count }, (_, shard) => ({ prefix, crawlId, shard }))
}
