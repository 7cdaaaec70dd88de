// Words that sites use in class names for the parts of a page. Each group is one bit, inherited by
// all descendants. The weight of each group is learned together with the rest (training/), so a
// word in the wrong group costs little.
import { hintHash } from '../content/hints.ts'

const GROUPS = {
  nav: 'nav navigation navbar menu submenu menubar megamenu dropdown topbar toolbar drawer tabs tablist menuitem offcanvas',
  header: 'header masthead banner topper head logo',
  footer: 'footer foot colophon bottom copyright legal contentinfo',
  sidebar: 'sidebar aside rail secondary complementary widget widgets sidenav right left sticky',
  comments:
    'comment comments disqus respond reply replies commentlist discussion komentar kommentar kommentare',
  share: 'share sharing social facebook twitter whatsapp addthis sharedaddy follow bagikan teilen',
  related:
    'related recommended recommendations recommendation more similar popular trending latest recent also terkait rekomendasi populer terpopuler baca upsell crosssell recirc',
  promo:
    'ad ads advert advertisement advertising promo promotion sponsor sponsored iklan banner adsense outbrain taboola dfp werbung anzeige',
  overlay:
    'modal popup overlay cookie cookies consent gdpr lightbox dialog paywall toast tooltip onetrust privacy',
  byline:
    'byline meta date time author authors published posted timestamp dateline postmeta tanggal penulis writer',
  content:
    'content contents body text article story prose richtext copy main entry single detail details isi konten artikel berita maincontent wysiwyg markdown bodytext articlebody',
  post: 'post posts message messages thread topic forum cooked posting postbody postcontent answer answers question bbwrapper messagelist lia viewtopic',
  user: 'user username profile avatar signature member rank userinfo postprofile author karma badge reputation',
  product:
    'product price sku buy cart specs specification specifications feature features offer variant gallery reviews rating ratings shop woocommerce',
  listing:
    'list listing grid card cards item items tile tiles teaser results result archive collection category catalog row entry summary excerpt',
  form: 'form login signin signup register subscribe newsletter search subscription input field captcha contact',
  hidden:
    'hidden hide sr screenreader visually visuallyhidden invisible noprint collapse collapsed offscreen',
  paging:
    'pagination pager paging pages page next prev previous breadcrumb breadcrumbs crumb crumbs skip',
  toc: 'toc tableofcontents contents outline index',
  media:
    'caption figure image img gallery photo video credit thumbnail slider carousel swiper slideshow media player',
  tags: 'tag tags tagcloud label labels categories keywords topics chip badge',
  hero: 'hero jumbotron intro lead headline subtitle standfirst kicker deck abstract',
  code: 'code highlight syntax codehilite gist snippet terminal console pre',
  docs: 'doc docs documentation section document manual wiki mw parser rst api reference theorem admonition note warning',
  action:
    'button btn cta action actions link links download print copy icon toggle share vote votes like edit',
} as const

export const HINT_GROUPS = Object.keys(GROUPS)

/** The group bits of each known word, by its hash. */
export function hintGroups(): Map<number, number> {
  const bits = new Map<number, number>()
  for (const [at, words] of Object.values(GROUPS).entries()) {
    for (const word of words.split(' ')) {
      const hash = hintHash(word)
      bits.set(hash, (bits.get(hash) ?? 0) | (1 << at))
    }
  }
  return bits
}

export function hintMask(...names: (keyof typeof GROUPS)[]): number {
  return names.reduce((mask, name) => mask | (1 << HINT_GROUPS.indexOf(name)), 0)
}
