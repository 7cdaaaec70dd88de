// Links that do something rather than show something: they log out, delete, put into a cart. A
// crawler must not press every button it finds. The words are looked for where they name the action,
// never within a title: `/logout`, but not `/blog/how-to-log-out`.

/** As the last name of a path they are nothing but that. */
const ALWAYS = new Set([
  ...['logout', 'log_out', 'log-out', 'logoff', 'log_off', 'log-off', 'signout', 'sign_out'],
  ...['sign-out', 'signoff', 'sign-off', 'unsubscribe', 'addtocart', 'add_to_cart', 'add-to-cart'],
  ...['removefromcart', 'remove_from_cart', 'remove-from-cart', 'addtowishlist'],
  ...['add_to_wishlist', 'add-to-wishlist', 'endsession', 'end-session', 'keluar'],
])
/** Words that also name pages about them: an action only where something is named to do it to. */
const WITH_OBJECT = new Set([
  ...['delete', 'destroy', 'remove', 'purge', 'trash', 'cancel', 'unfollow', 'unlike', 'upvote'],
  ...['downvote', 'ban', 'hapus'],
])
/** Keys whose value is an action, or whose name is one. */
const ACTION_KEYS = new Set(['action', 'do', 'act', 'cmd', 'op', 'task', 'mode'])
const KEY_IS_ACTION = new Set([
  'logout',
  'add-to-cart',
  'add_to_cart',
  'remove_item',
  'delete_item',
])
const EXTENSION = /\.(?:php\d?|aspx?|jsp|do|cgi|cfm|action|html?)$/
const PAGE_EXTENSION = /\.html?$/
// No year: `/2024/cancel` may well be a page.
const IDENTIFIER = /^(?!(?:19|20)\d\d$)(?:\d+|[0-9a-f]{8,}|[0-9a-f-]{36})$/
// Nearly all URLs have none of the words anywhere.
const SUSPECT =
  /log[-_]?(?:out|off)|sign[-_]?(?:out|off)|unsubscribe|cart|wishlist|end-?session|keluar|delete|destroy|remove|purge|trash|cancel|unfollow|unlike|vote|ban\b|hapus/i

/** The action that a path and query stand for; null when they show a page. */
export function actionOf(pathAndQuery: string): string | null {
  if (!SUSPECT.test(pathAndQuery)) return null
  const [path = '', query = ''] = pathAndQuery.toLowerCase().split('?', 2)
  const segments = path.split('/').filter((segment) => segment !== '')
  return actionInPath(segments, query) ?? actionInQuery(query)
}

function actionInPath(segments: readonly string[], query: string): string | null {
  const last = segments.at(-1) ?? ''
  const name = last.replace(EXTENSION, '')
  if (ALWAYS.has(name)) return name
  const before = segments.at(-2) ?? ''
  const beside = before.replace(EXTENSION, '')
  // `/cart/delete?id=1`, `/posts/12/delete`, `/post/delete/12`
  if (WITH_OBJECT.has(name) && !PAGE_EXTENSION.test(last)) {
    return query !== '' || IDENTIFIER.test(before) ? name : null
  }
  return (WITH_OBJECT.has(beside) || ALWAYS.has(beside)) && IDENTIFIER.test(name) ? beside : null
}

function actionInQuery(query: string): string | null {
  for (const pair of query.split('&')) {
    const [key = '', value = ''] = pair.split('=', 2)
    if (KEY_IS_ACTION.has(key)) return key
    if (ACTION_KEYS.has(key) && (ALWAYS.has(value) || WITH_OBJECT.has(value))) return value
  }
  return null
}
