import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTopicTexts } from '../../training/topics/read-texts.ts'
import { agreementOf } from './agreement.ts'
import { clusterTexts } from './cluster-texts.ts'

const TOPICS = readTopicTexts(['id']).filter(({ label }) => label !== 'other')

type Labelled = { readonly text: string; readonly label: string }

async function grouped(
  texts: readonly Labelled[],
  options: { readonly k: number | null; readonly seed?: number; readonly sample?: number },
) {
  const pairs: [cluster: number, label: string][] = []
  const clusters = await clusterTexts({
    seed: 1,
    ...options,
    texts: async function* () {
      for (const one of texts) yield { ...one, title: '', language: 'id' }
    },
    onText: ({ label }, { cluster }) => {
      pairs.push([cluster, label])
    },
  })
  return { clusters, pairs, agreement: agreementOf(pairs) }
}

test('texts about ten topics fall into ten clusters that are mostly about one each', async () => {
  const { clusters, agreement } = await grouped(TOPICS, { k: 10 })
  assert.ok(agreement.purity > 0.9 && agreement.nmi > 0.85, JSON.stringify(agreement))
  const sport = clusters.find(({ terms }) => terms.includes('pelatih'))
  assert.ok(sport?.terms.includes('gol'))
})

test('left to choose, there are about as many clusters as topics', async () => {
  const { clusters, agreement } = await grouped(TOPICS, { k: null })
  assert.ok(clusters.length >= 8 && clusters.length <= 15, String(clusters.length))
  assert.ok(agreement.nmi > 0.7, JSON.stringify(agreement))
})

test('the same texts and seed give the same clusters, the largest first', async () => {
  const [one, other] = [await grouped(TOPICS, { k: 6 }), await grouped(TOPICS, { k: 6 })]
  assert.deepEqual(one, other)
  const sizes = one.clusters.map(({ size }) => size)
  assert.equal(
    sizes.reduce((sum, size) => sum + size),
    TOPICS.length,
  )
  const inOrder = sizes.toSorted((a, b) => b - a)
  assert.deepEqual(sizes, inOrder)
})

test('the order of the texts does not change the clusters', async () => {
  const [one, other] = [
    await grouped(TOPICS, { k: 6 }),
    await grouped(TOPICS.toReversed(), { k: 6 }),
  ]
  assert.deepEqual(other.pairs.toReversed(), one.pairs)
})

test('with a sample, the other texts are assigned to what it found', async () => {
  const { pairs, agreement } = await grouped(TOPICS, { k: 10, sample: 190 })
  assert.equal(pairs.length, TOPICS.length)
  assert.ok(agreement.purity > 0.6, JSON.stringify(agreement))
})

test('too few texts are refused with what is missing', async () => {
  const few = TOPICS.slice(0, 3)
  await assert.rejects(grouped(few, { k: 9 }), /9 clusters need at least as many/)
  await assert.rejects(grouped([], { k: null }), /only 0 texts/)
  const alike = Array.from({ length: 4 }, () => ({ text: '1 2 3 ...', label: '' }))
  await assert.rejects(grouped(alike, { k: null }), /only 0 texts share words/)
})

test('purity and NMI are 1 for clusters that are the labels, and low for chance', () => {
  const labels = ['a', 'a', 'b', 'b']
  const same = agreementOf(labels.map((label) => [label === 'a' ? 0 : 1, label]))
  assert.deepEqual(same, { texts: 4, labels: 2, purity: 1, nmi: 1 })
  const crossed = agreementOf(labels.map((label, at) => [at % 2, label]))
  assert.equal(crossed.purity, 0.5)
  assert.ok(crossed.nmi < 1e-9)
})
