import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, changedOf, checkDraft, errorsOf, fieldOf, questionOf } from './draft.ts'
import { groupsOf, type KnownOption, type KnownOptions } from './known-options.ts'

const option = (name: string, about: Partial<KnownOption> = {}): KnownOption => ({
  name,
  kind: 'number',
  help: '',
  default: '',
  choices: null,
  min: null,
  max: null,
  group: 'limits',
  carries: null,
  allowed: true,
  ...about,
})
const known: KnownOptions = {
  options: [
    option('max_pages', { min: 1 }),
    option('harvest_floor', { min: 0, max: 100, group: 'harvest' }),
    option('sitemaps', { kind: 'flag', default: 'true', group: 'manners' }),
    option('keep_html', { kind: 'flag', group: 'keeping' }),
    option('include', { kind: 'list' }),
    option('keywords', { kind: 'list', group: 'topic' }),
    option('topic', { kind: 'text', group: 'topic' }),
    option('classifier', { kind: 'text', group: 'topic', carries: 'model' }),
    option('stop_words', { kind: 'text', group: 'topic', carries: 'words' }),
    option('language', { kind: 'list', group: 'harvest' }),
    option('max_body', { kind: 'bytes', group: 'network' }),
    option('proxy', { kind: 'list', group: 'network', allowed: false }),
    option('ordering', { kind: 'choice', group: 'order' }),
    option('ordering_option', { kind: 'list', group: 'order' }),
  ],
  orderings: [
    { name: 'breadth-first', about: '', focused: false, options: [], rules: null },
    { name: 'adaptive', about: '', focused: true, options: [], rules: null },
  ],
  limits: { max_connections: 10 },
  allow_private: false,
  version: '1',
}

test('an untouched form sends nothing but its seeds', () => {
  const body = bodyOf({ seeds: ' a.test \n\n b.test', max_pages: '  ', name: '' }, known)
  assert.deepEqual(body, { urls: ['a.test', 'b.test'] })
})

test('what was changed is sent in its own type', () => {
  const draft = {
    seeds: 'a.test',
    name: ' mine ',
    max_pages: '50',
    max_body: '2MiB',
    include: '/a/**\n/b,c/**',
    keywords: 'one, two\nthree,',
    classifier: '{"kind":"x"}',
    stop_words: 'the\nand # mine\n',
    language: 'id, en',
    'ordering_option.beta': '0.5',
    'ordering_option.empty': '',
    ordering_rules: '.com = 2\n\n?a=b=-1\nhome',
  }
  assert.deepEqual(bodyOf(draft, known), {
    urls: ['a.test'],
    name: 'mine',
    max_pages: 50,
    max_body: '2MiB',
    include: ['/a/**', '/b,c/**'],
    keywords: ['one, two', 'three,'],
    classifier: { kind: 'x' },
    stop_words: 'the\nand # mine\n',
    language: ['id, en'],
    ordering_option: { beta: 0.5, '.com': 2, '?a=b': -1, home: '' },
  })
})

test('a flag is sent only when it differs from its default', () => {
  assert.deepEqual(bodyOf({ seeds: 'a', sitemaps: 'true', keep_html: 'false' }, known), {
    urls: ['a'],
  })
  const body = bodyOf({ seeds: 'a', sitemaps: 'false', keep_html: 'true' }, known)
  assert.deepEqual(body, { urls: ['a'], sitemaps: false, keep_html: true })
})

test('what is no number is sent as written, so that the server can say what is wrong', () => {
  assert.deepEqual(bodyOf({ seeds: 'a', max_pages: 'ten' }, known), {
    urls: ['a'],
    max_pages: 'ten',
  })
  assert.deepEqual(bodyOf({ seeds: 'a', classifier: '{' }, known), { urls: ['a'], classifier: '{' })
})

test('a problem stands beside its field, of a seed with its line', () => {
  const cases: [string, string][] = [
    ['urls[2]', 'seeds'],
    ['url', 'seeds'],
    ['limit', 'max_pages'],
    ['max_depth', 'max_depth'],
    ['constructor', 'constructor'],
    ['', ''],
  ]
  for (const [at, field] of cases) assert.equal(fieldOf(at), field)
  const problems = [
    { at: 'urls[0]', message: 'is no URL' },
    { at: 'urls[2]', message: 'is private' },
    { at: 'max_pages', message: 'is too small' },
  ]
  const errors = errorsOf(problems, (line) => `Line ${line}`)
  assert.equal(errors.get('seeds'), 'Line 1: is no URL · Line 3: is private')
  assert.equal(errors.get('max_pages'), 'is too small')
})

test('the form says by itself what it can know is wrong', () => {
  const draft = { ordering: 'adaptive', max_pages: '0', harvest_floor: '101', seeds: ' \n ' }
  const places = checkDraft(draft, known).map(({ at }) => at)
  assert.deepEqual(places, ['seeds', 'topic', 'max_pages', 'harvest_floor'])
  const good = {
    seeds: 'a',
    ordering: 'adaptive',
    keywords: 'x',
    max_pages: '1',
    harvest_floor: '5%',
  }
  assert.deepEqual(checkDraft(good, known), [])
})

test('folded groups have what is not at the front, and nothing the server would refuse', () => {
  const names = groupsOf(known).map(({ group, options }) => [
    group,
    options.map(({ name }) => name),
  ])
  assert.deepEqual(names, [
    ['limits', ['include']],
    ['manners', ['sitemaps']],
    ['topic', ['classifier', 'stop_words']],
    ['harvest', ['harvest_floor', 'language']],
    ['keeping', ['keep_html']],
    ['network', ['max_body']],
  ])
})

test('it is counted how many options of a group were changed', () => {
  assert.equal(changedOf({ max_pages: '5', sitemaps: 'true', max_body: ' ' }, known.options), 1)
})

test('the server is asked for the words of a topic only where words decide', () => {
  const draft = { seeds: 'a.test', topic: 'vaksin', keywords: 'imun, virus', max_pages: '5' }
  assert.deepEqual(questionOf(draft, known), { topic: 'vaksin', keywords: ['imun, virus'] })
  assert.deepEqual(questionOf({ seeds: 'a.test' }, known), {})
  assert.deepEqual(questionOf({ ...draft, classifier: '{}' }, known), {})
})
