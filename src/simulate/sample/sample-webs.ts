// The made-up webs by name: of different nature, to distinguish an ordering that is good on one kind of web
// from one that is good on all.
import { makeCampusWeb } from './campus-web.ts'
import type { SampleWeb } from './draft.ts'
import { makeEncyclopediaWeb } from './encyclopedia-web.ts'
import { makeNewsWeb } from './news-web.ts'
import type { SampleName } from './sample-names.ts'
import { makeSitesWeb } from './sites-web.ts'

export const SAMPLE_WEBS: Readonly<Record<SampleName, (seed?: number) => SampleWeb>> = {
  sites: makeSitesWeb,
  encyclopedia: makeEncyclopediaWeb,
  campus: makeCampusWeb,
  news: makeNewsWeb,
}
