import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { type Posts, postAuthors, postsOf } from './post-authors.ts'

const POST = (name: string, text: string): string =>
  `<div class=post><div class=postprofile><a class=username href=/u/${name}>${name}</a><p>Posts: 12</p></div><div class=content>${text}</div></div>`

/** Chooses the blocks whose text is a sentence. */
function authorsOf(html: string): string[] {
  return postAuthors(...chosenOf(html))
}

function chosenOf(html: string, isChosen = (text: string) => text.endsWith('.')) {
  const reading = new HtmlReader().read(Buffer.from(html), { isXml: false })
  const { blocks } = reading.outline
  const chosen = Uint8Array.from({ length: blocks.count }, (_, row) =>
    isChosen(reading.text.slice(blocks.textFrom[row]!, blocks.textTo[row]!)) ? 1 : 0,
  )
  return [reading, chosen] as const
}

/** All blocks are chosen. */
function postsOfAll(html: string): Posts {
  return postsOf(...chosenOf(html, () => true))
}

test('the names beside the posts are their authors, each once and in order', () => {
  const html = POST('rina', 'Which saw is best.') + POST('budi', 'The small one.')
  assert.deepEqual(authorsOf(html + POST('rina', 'Thanks.')), ['rina', 'budi'])
})

test('facts about an author are not the author', () => {
  const place = '<dl class=pairs><dd><a href=/place>Vancouver</a></dd></dl>'
  const html = `<div class=message-user><h4 class=message-name><a href=/u>rina</a></h4><div class=extras>${place.repeat(3)}</div></div><p>A text.`
  assert.deepEqual(authorsOf(html), ['rina'])
})

test('lines without a user are not authors', () => {
  assert.deepEqual(authorsOf('<div class=date><a href=x>May 12</a></div><p>A text.'), [])
  assert.deepEqual(authorsOf('<div class=user><a href=x>2024</a></div><p>A text.'), [])
  assert.deepEqual(authorsOf('<p>A text.'), [])
})

test('a name joined with a rank or a date is taken alone', () => {
  const post = (name: string, text: string): string =>
    `<div><div class=who><a href="/memberlist.php?u=2">${name}</a><span class=rank>Moderator</span></div><p>${text}</div>`
  const html = post('ratna', 'One.') + post('budi_s', 'Two.') + post('ratna', 'Three.')
  assert.deepEqual(authorsOf(html), ['ratna', 'budi_s'])
  const dated = '<div><span itemprop=author>jonas</span><time>May 2, 2024</time></div><p>One.'
  assert.deepEqual(authorsOf(dated), ['jonas'])
})

test('text beside names is not a name: links to sign in, dates, numbers of posts', () => {
  for (const line of ['Sign up', 'Mar 02, 2026', '7 Posts', 'Find all posts by rina', 'Masuk']) {
    assert.deepEqual(authorsOf(`<div><a href=/users/7>${line}</a></div><p>A text.`), [], line)
  }
})

test('names after the posts are their authors, too, and quoted names are not', () => {
  const post = (name: string, text: string): string =>
    `<div class=answer><blockquote><a href=/users/9>quoted</a> wrote</blockquote><p>${text}<div class=user-info>answered 3 May <a href=/users/7>${name}</a></div></div>`
  const html = post('sari', 'One.') + post('petra', 'Two.') + post('joko', 'Three.')
  assert.deepEqual(authorsOf(html), ['sari', 'petra', 'joko'])
})

test('a sentence that begins with the name of somebody is no byline', () => {
  for (const reply of [
    '<a class="mention" href="/u/ann">@ann</a> yes, please restart it before the evening comes',
    '<a class="u-url mention" href="/@ann">@ann</a> thanks',
    '<a href="/u/ann">ann</a> yes, please restart it before the evening comes',
    'Thanks <a href="/u/ann">ann</a>!',
  ]) {
    const html = `<div class=post><div class=body><p>${reply}</p></div></div>`.repeat(5)
    assert.deepEqual(postsOfAll(html), { starts: new Map(), bylines: new Set() }, reply)
  }
})

test('a chosen line is a byline with a rank, a date or the word by beside the name', () => {
  for (const line of [
    '<a href="/u/ann">ann</a>',
    '<a href="/u/ann">ann</a> <span>Senior Member</span>',
    'Posted by <a href="/u/ann">ann</a> on Monday, 3 September 2024 at 10:32 am',
  ]) {
    const { starts, bylines } = postsOfAll(`<div><p>${line}</div><section>A text.</section>`)
    assert.deepEqual([...starts], [[1, 'ann']], line)
    assert.deepEqual([...bylines], [0], line)
  }
})

test('a line beside a name that no post took is written', () => {
  const line = (name: string): string => `<div><a href="/u/${name}">${name}</a> agrees</div>`
  const { bylines } = postsOfAll(`${line('ann')}${line('bob')}<p>A text.`)
  assert.deepEqual([...bylines], [1])
})

test('a short word that is part of a name stays', () => {
  for (const name of ['Von Neumann', 'di Maria', 'Por Siempre']) {
    assert.deepEqual(authorsOf(`<div><a href=/u/7>${name}</a></div><p>A text.`), [name])
  }
  assert.deepEqual(authorsOf('<div><a href=/u/7>by Von Neumann</a></div><p>A text.'), [
    'Von Neumann',
  ])
})
