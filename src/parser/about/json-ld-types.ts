// Types of schema.org, by how likely a node of each is what a page is about.

const WRITING = /(?:Article|Posting|Report|Question|Review|Recipe|HowTo|Poem|Thesis|Blog)$/
const THING =
  /^(?:Product|Book|Movie|VideoObject|AudioObject|PodcastEpisode|Event|Course|JobPosting|SoftwareApplication|MobileApplication|WebApplication|SoftwareSourceCode|Dataset|ProductGroup|Vehicle|CreativeWork|Game|VideoGame|MusicAlbum|TVEpisode|LocalBusiness|Restaurant|Hotel|Service|MediaObject)$/
const PAGE = /Page$/
const APART =
  /^(?:BreadcrumbList|ListItem|WebSite|Organization|NewsMediaOrganization|Person|ImageObject|SearchAction|ItemList|SiteNavigationElement|WPHeader|WPFooter|WPSideBar|PostalAddress|Rating|AggregateRating|Offer|Comment|Answer)$/

/** 4 for a text, 3 for a thing, 2 for a page, 1 for anything else, 0 for what only goes along. */
export function rankOf(types: readonly string[]): number {
  let best = 0
  for (const type of types) {
    if (APART.test(type)) continue
    if (WRITING.test(type)) best = Math.max(best, 4)
    else if (THING.test(type)) best = Math.max(best, 3)
    else best = Math.max(best, PAGE.test(type) ? 2 : 1)
  }
  return best
}

/** Without the address of the vocabulary. */
export function bareType(type: string): string {
  return type
    .slice(0, 128)
    .replace(/^(?:https?:\/\/schema\.org\/|schema:)/, '')
    .slice(0, 64)
}
