// By the address alone. Our own location (graph/importance.ts) prefers front pages to pages deep in a site.
// The paper of Cho, Garcia-Molina and Page leaves the metric to the user (IL, a function of the URL) and has
// three examples: addresses that end with .com, addresses that contain "home", addresses with fewer slashes.
// A rule is an option whose name is the pattern, and whose number is what a match is worth:
//
//   .com    the host ends with it
//   /       each slash of the path after the first
//   home    the address contains it, in whatever case
import { type CanonicalUrl, hostOf, locationOf, pathOf } from '../core/url.ts'
import { type OptionValues, type Ordering, SEED_SCORE } from './ordering.ts'

const OWN_OPTIONS = ['distance', 'usual']
const SLASHES = '/'
const PORT = /:\d+$/

export const location: Ordering = {
  name: 'location',
  about: 'front pages and short paths first, or by your own rules about addresses',
  rescoreOn: ['depth'],
  options: [
    {
      name: 'distance',
      help: 'taken off a location, which is 0 to 1, for each link away from a seed',
      default: 0,
      min: 0,
      max: 1,
    },
    {
      name: 'usual',
      help: 'weight of our own location, which is 0 to 1, beside the rules; 0: rules alone decide',
      default: 1,
      min: 0,
      max: 100,
    },
  ],
  rules: {
    help: 'what a match is worth: .com (the host ends with it), / (each slash of the path after the first), or any text that the URL contains, such as home',
    min: -1000,
    max: 1000,
  },
  presets: [
    {
      name: 'cho',
      about:
        'the examples of Cho, Garcia-Molina and Page, equally weighted: .com, home, fewer slashes',
      options: { usual: 0, '.com': 1, home: 1, [SLASHES]: -1 },
    },
  ],
  createScorer: (options) => {
    const { distance = 0, usual = 1 } = options
    const rules = rulesIn(options)
    const worth = (url: CanonicalUrl): number =>
      rules.reduce((sum, rule) => sum + rule(url), usual === 0 ? 0 : usual * locationOf(url))
    return {
      score: ({ url, depth }) => (depth === 0 ? SEED_SCORE : worth(url) - distance * depth),
    }
  },
}

type Rule = (url: CanonicalUrl) => number

function rulesIn(options: OptionValues): readonly Rule[] {
  const given = Object.entries(options).filter(([name]) => !OWN_OPTIONS.includes(name))
  return given.map(([name, worth]) => ruleOf(name.toLowerCase(), worth))
}

function ruleOf(pattern: string, worth: number): Rule {
  if (pattern === SLASHES) return (url) => worth * (slashesIn(pathOf(url)) - 1)
  if (pattern.startsWith('.'))
    return (url) => (hostOf(url).replace(PORT, '').endsWith(pattern) ? worth : 0)
  return (url) => (url.toLowerCase().includes(pattern) ? worth : 0)
}

/** A query may have slashes, too; they are no steps into the site. */
function slashesIn(path: string): number {
  let slashes = 0
  for (let at = 0; at < path.length && path[at] !== '?'; at++) if (path[at] === '/') slashes += 1
  return slashes
}
