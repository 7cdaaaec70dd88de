import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeWorld } from '../replay-world.ts'
import { readTopics } from '../topics-file.ts'
import { reachableFrom, readTruth } from '../truth-file.ts'
import { SAMPLE_NAMES } from './sample-names.ts'
import { SAMPLE_WEBS, sampleTopics, sampleTruth } from './sample-webs.ts'

for (const name of SAMPLE_NAMES) {
  describe(`the made-up web ${name}`, () => {
    const web = SAMPLE_WEBS[name]()
    const world = makeWorld(web.pages)

    test('each page has an address of its own, and all can be reached from the seed', () => {
      assert.ok(world.alive >= 1000 && world.alive <= 3000, `${world.alive} pages`)
      assert.equal(new Set(world.urls).size, world.alive)
      const reached = reachableFrom([world.find(web.seed)!], world.links)
      assert.ok(reached.every((mark) => mark === 1))
    })

    test('its topics and its truth are files as people would give them', () => {
      const topics = readTopics(sampleTopics(web), 'topics')
      const truth = readTruth(sampleTruth(web), 'truth', world)
      assert.deepEqual(
        topics.map(({ id }) => id),
        web.topics.map(({ id }) => id),
      )
      assert.equal(truth.known, world.alive)
      for (const { id, positive, negative } of topics) {
        const marks = truth.topics.get(id)!
        assert.ok(positive.every((url) => marks[world.find(url)!] === 1))
        assert.ok(negative.every((url) => marks[world.find(url)!] === 0))
      }
    })

    test('a few pages in a hundred are about a topic; links from them lead to others, and elsewhere', () => {
      for (const [topic, { id }] of web.topics.entries()) {
        const own = web.topicOf.flatMap((other, page) => (other === topic ? [page] : []))
        const share = own.length / world.alive
        assert.ok(share > 0.025 && share < 0.085, `${id}: ${share}`)
        const links = own.flatMap((page) => web.pages[page]?.links ?? [])
        const near = links.filter(({ to }) => web.topicOf[to] === topic).length / links.length
        assert.ok(near > 2 * share && near < 0.75, `${id}: ${near}`)
      }
    })

    test('the same number makes the same web, another one another', () => {
      assert.deepEqual(SAMPLE_WEBS[name]().pages, web.pages)
      assert.notDeepEqual(SAMPLE_WEBS[name](2).pages, web.pages)
    })
  })
}
