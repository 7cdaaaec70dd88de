import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HtmlReader } from '../html/html-reader.ts'
import { hasPostsOfUsers } from './forum-markup.ts'

function isThread(html: string): boolean {
  return hasPostsOfUsers(new HtmlReader().read(Buffer.from(html), { isXml: false }).outline)
}

test('posts side by side with a block about their user are a thread', () => {
  for (const post of [
    '<div class="post bg1"><dl class="postprofile"><dt>rina</dl><div class=content>Text</div></div>',
    '<article class="message"><div class="message-inner"><div class="message-cell"><section class="message-user">rina</section></div><div class="message-body">Text</div></div></article>',
    '<li class="postbit postcontainer"><div class="userinfo">rina</div><div class=body>Text</div></li>',
  ]) {
    assert.ok(isThread(post.repeat(4)), post)
    assert.ok(!isThread(post.repeat(2)), post)
    const apart = `<section>${post}</section>`.repeat(4)
    assert.ok(!isThread(apart), apart)
  }
})

test('a list of articles, comments, and members without posts are no thread', () => {
  for (const entry of [
    '<div class="post"><h2>A title</h2><p class="author">rina</p><p>Text</p></div>',
    '<li class="comment"><div class="user">rina</div><p>Text</p></li>',
    '<li class="row"><div class="member">rina</div></li>',
  ]) {
    assert.ok(!isThread(entry.repeat(5)), entry)
  }
})
