// Made-up pages about stars and about other things, for tests of topics.
import type { CanonicalUrl } from '../../src/core/url.ts'
import { canonicalise } from '../../src/core/url.ts'
import { seededRandom } from '../../src/lib/seeded-random.ts'
import type { PageText } from '../../src/topic/topic.ts'

const STARS = `telescope galaxy orbit planet comet nebula eclipse photometry spectrum astronomer
  observatory supernova asteroid constellation luminosity redshift pulsar quasar meteor lunar`
const OTHERS = `recipe onion butter saucepan oven garlic flour simmer kitchen dessert football
  stadium goalkeeper referee league mortgage invoice pension dividend lender tulip compost
  gardener hedge orchard violin orchestra sonata conductor melody`
const COMMON = `the of and to in is that for with on as are this by be from or an it not have more
  about when new page home search contact use time first all other which`

const [stars, others, common] = [STARS, OTHERS, COMMON].map((list) => list.trim().split(/\s+/))

/** Of 120 words, a third of them about something. */
export function topicPages(about: 'stars' | 'others', count: number, seed = 1): PageText[] {
  const random = seededRandom(seed)
  const own = (about === 'stars' ? stars : others) ?? []
  // Each page is about a few things only, as pages are.
  const few = () => Array.from({ length: 8 }, () => own[Math.floor(random() * own.length)] ?? '')
  const words = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: count }, (_, at) => {
    const subjects = few()
    const text = Array.from({ length: 120 }, () =>
      words(random() < 0.3 ? subjects : (common ?? [])),
    )
    return pageText({
      url: `http://${about}.test/${at}`,
      title: `${words(subjects)} and ${words(subjects)}`,
      text: text.join(' '),
    })
  })
}

export function pageText(page: {
  readonly url?: string
  readonly title?: string
  readonly text?: string
  readonly anchors?: readonly string[]
}): PageText {
  const { url = 'http://a.test/', title = '', text = '', anchors = [] } = page
  return { url: urlOf(url), title, description: '', text, anchors }
}

function urlOf(href: string): CanonicalUrl {
  const url = canonicalise(href)
  if (url === null) throw new Error(`${href} is no URL`)
  return url
}
