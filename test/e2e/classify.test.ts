// `jelajah train` and `jelajah classify`, from labelled texts to labels, and whatever can be wrong with
// the files.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from './crawling.ts'
import { runHere as run } from './in-process.ts'

const WORDS: Readonly<Record<string, string>> = {
  laut: 'ombak kapal pelabuhan ikan nelayan pantai karang pulau',
  dapur: 'bawang garam panci sayur resep tepung minyak piring',
}

/** Labelled texts, each a few words of its label's. */
function lines(count: number, from = 0): string {
  const texts = Array.from({ length: count }, (_, at) => {
    const label = (at + from) % 2 === 0 ? 'laut' : 'dapur'
    const words = (WORDS[label] ?? '').split(' ')
    const own = [1, 3, 4].map((step) => words[((at >> 1) * step + from) % words.length])
    return JSON.stringify({ text: `yang ${own.join(' dan ')} itu`, label })
  })
  return `${texts.join('\n')}\n`
}

/** A folder with texts and a model that was trained on them. */
async function trainedFolder() {
  const folder = await temporaryFolder()
  const at = (name: string) => join(folder.path, name)
  writeFileSync(at('texts.jsonl'), lines(40))
  const { code, stdout, stderr } = await run(['train', at('texts.jsonl'), '--out', at('m.json')])
  assert.equal(code, 0, stderr)
  return { at, stdout, path: folder.path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

test('training tells how good it is and leaves a model and nothing else', async () => {
  await using folder = await trainedFolder()
  assert.match(folder.stdout, /40 texts, 2 labels, language id/)
  assert.match(folder.stdout, /naive-bayes +\d+\.\d ± \d+\.\d %/)
  assert.match(folder.stdout, /logistic-regression +\d+\.\d ± \d+\.\d %/)
  assert.match(folder.stdout, /precision +recall/)
  assert.match(folder.stdout, /true label +1 +2\n/)
  assert.deepEqual(readdirSync(folder.path).sort(), ['m.json', 'texts.jsonl'])
})

test('the figures come as JSON, and the same again for the same texts', async () => {
  await using folder = await trainedFolder()
  const model = readFileSync(folder.at('m.json'), 'utf8')
  const args = ['train', '-', '--out', folder.at('m.json'), '--force', '--json', '--folds', '4']
  const { stdout, code } = await run(args, lines(40))
  assert.equal(code, 0)
  const { texts, labels, methods, telling_words: telling } = JSON.parse(stdout)
  assert.deepEqual([texts, labels], [40, ['dapur', 'laut']])
  for (const { accuracy, macro_f1: macroF1, pooled } of methods) {
    assert.ok(accuracy > 0.9 && macroF1 > 0.9)
    assert.equal(
      pooled.confusion.flat().reduce((a: number, b: number) => a + b),
      40,
    )
  }
  assert.ok(telling.laut.length > 0)
  const weights = (text: string) => text.slice(text.indexOf('"terms"'))
  assert.equal(weights(readFileSync(folder.at('m.json'), 'utf8')), weights(model))
})

test('texts get labels with probabilities, from a file, stdin or the command line', async () => {
  await using folder = await trainedFolder()
  const judge = ['classify', '--model', folder.at('m.json'), '--json']
  const { stdout, stderr } = await run([...judge, 'ombak besar di pelabuhan'])
  const { label, probability, probabilities } = JSON.parse(stdout)
  assert.equal(label, 'laut', stderr)
  assert.ok(probability > 0.5 && probability <= 1)
  assert.ok(Math.abs(probabilities.laut + probabilities.dapur - 1) < 1e-9)
  for (const method of ['naive-bayes', 'logistic-regression']) {
    const unlabelled = '{"text":"sayur"}\n{"text":"ikan"}'
    const several = await run([...judge, '-', '--method', method], unlabelled)
    const labels = several.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).label)
    assert.deepEqual(labels, ['dapur', 'laut'])
    assert.equal(several.stderr, '')
  }
})

test('labelled texts are scored at the end, beside JSON lines on stderr', async () => {
  await using folder = await trainedFolder()
  writeFileSync(folder.at('held-out.jsonl'), lines(10, 5))
  const judge = ['classify', folder.at('held-out.jsonl'), '--model', folder.at('m.json')]
  const shown = await run(judge)
  assert.match(shown.stdout, /10 labelled texts, logistic-regression: accuracy 100\.0 %, macro-F1/)
  const json = await run([...judge, '--json'])
  const answers = json.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.equal(answers.length, 10)
  assert.ok(answers.every(({ label, truth }) => label === truth))
  assert.match(json.stderr, /accuracy 100\.0 %/)
})

test('bad lines are reported with their numbers, and what is good is still answered', async () => {
  await using folder = await trainedFolder()
  const judge = ['classify', '-', '--model', folder.at('m.json'), '--json']
  const { code, stdout, stderr } = await run(judge, '{"text":"ikan"}\nnonsense\n{"label":"x"}\n')
  assert.equal(code, 1)
  assert.equal(stdout.trim().split('\n').length, 1)
  assert.equal(stderr, 'jelajah: line 2 is not JSON\njelajah: line 3 has no "text"\n')
})

test('files that do not fit are refused before anything is written', async () => {
  await using folder = await trainedFolder()
  const { at } = folder
  writeFileSync(at('damaged.json'), readFileSync(at('m.json'), 'utf8').slice(0, 500))
  writeFileSync(at('newer.json'), '{"format":"jelajah-model","version":9}')
  writeFileSync(at('one.jsonl'), '{"text":"a","label":"x"}\n{"text":"b","label":"x"}\n')
  const cases: [args: string[], says: RegExp][] = [
    [['classify', 'a b', '--model', at('damaged.json')], /is not JSON, so it is no model/],
    [['classify', 'a b', '--model', at('newer.json')], /version 9, and this Jelajah reads version/],
    [['classify', 'a b', '--model', at('texts.jsonl')], /no model/],
    [['train', at('one.jsonl'), '--out', at('new.json')], /at least two labels/],
    [['train', at('texts.jsonl'), '--out', at('m.json')], /there already; --force/],
  ]
  for (const [args, says] of cases) {
    const { code, stdout, stderr } = await run(args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack trace')
  }
  assert.ok(!readdirSync(folder.path).includes('new.json'))
})

test('a hostile text cannot steer the terminal it is shown on', async () => {
  await using folder = await trainedFolder()
  const text = JSON.stringify({ text: 'ikan \x1b[2J\u202eevil', label: '\x1b]0;owned\x07' })
  const { stdout, stderr } = await run(['classify', '-', '--model', folder.at('m.json')], text)
  assert.doesNotMatch(stdout + stderr, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/)
})
