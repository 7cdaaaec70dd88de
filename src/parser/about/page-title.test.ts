import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingOf, type TitleSources, titleOf } from './page-title.ts'

const NOTHING: TitleSources = {
  titleTag: '',
  ogTitle: '',
  heading: '',
  isOnlyHeading: true,
  isTopHeading: true,
  headline: '',
  isArticle: false,
  siteName: '',
  host: 'www.example.org',
  isFrontPage: false,
}

const CASES: readonly (readonly [what: string, sources: Partial<TitleSources>, title: string])[] = [
  ['a title alone stays', { titleTag: 'How rice grows' }, 'How rice grows'],
  [
    'the only heading of an article is its title, however else the tag is worded',
    { titleTag: 'Ten facts for growers', heading: 'Why water is enough', isArticle: true },
    'Why water is enough',
  ],
  [
    'and the one that JSON-LD has, too',
    {
      titleTag: 'Facts for growers',
      heading: 'Why water is enough',
      headline: 'Why water is enough',
    },
    'Why water is enough',
  ],
  [
    'but on other pages such a heading is a slogan',
    { titleTag: 'Tools for growers', heading: 'Why water is enough' },
    'Tools for growers',
  ],
  [
    'a tag that only names the site is no title',
    { titleTag: 'Daily Farm', heading: 'How rice grows', siteName: 'Daily Farm' },
    'How rice grows',
  ],
  [
    'unless nothing else is there',
    { titleTag: 'Daily Farm', ogTitle: 'Daily Farm', siteName: 'Daily Farm' },
    'Daily Farm',
  ],
  [
    'the name of the site goes from the end',
    { titleTag: 'How rice grows | Daily Farm', siteName: 'Daily Farm' },
    'How rice grows',
  ],
  [
    'and from the beginning',
    { titleTag: 'Daily Farm - How rice grows', siteName: 'Daily Farm' },
    'How rice grows',
  ],
  [
    'with a slogan behind it',
    { titleTag: 'How rice grows — Daily Farm - News for growers', siteName: 'Daily Farm' },
    'How rice grows',
  ],
  [
    'the host may be the name',
    { titleTag: 'How rice grows » dailyfarm', host: 'www.dailyfarm.example' },
    'How rice grows',
  ],
  [
    'or its initials',
    { titleTag: 'How rice grows | World Rice Farm Trust', host: 'www.wrft.example' },
    'How rice grows',
  ],
  [
    'a hyphen in the title itself is no end of it',
    { titleTag: 'Rice - a history - Daily Farm', siteName: 'Daily Farm' },
    'Rice - a history',
  ],
  [
    'what nobody calls the site stays',
    { titleTag: 'How rice grows | Part two' },
    'How rice grows | Part two',
  ],
  [
    'a single word left says too little',
    { titleTag: 'Contact - Daily Farm', siteName: 'Daily Farm' },
    'Contact - Daily Farm',
  ],
  [
    'unless the heading says it too',
    { titleTag: 'Contact - Daily Farm', siteName: 'Daily Farm', heading: 'Contact' },
    'Contact',
  ],
  [
    'a heading that is one side of the title is the title',
    { titleTag: 'Hiking boots: light and sturdy | Shop', heading: 'Hiking boots' },
    'Hiking boots',
  ],
  [
    'a heading about something else is not',
    { titleTag: 'How rice grows', heading: 'Welcome to our garden' },
    'How rice grows',
  ],
  [
    'the front page is called what its site is called',
    { titleTag: 'Daily Farm - News for growers', siteName: 'Daily Farm', isFrontPage: true },
    'Daily Farm - News for growers',
  ],
  [
    'nor is the heading of a section, which has a number',
    { titleTag: 'The Rice Field Module', heading: '2. Compiling The Rice Field Module' },
    'The Rice Field Module',
  ],
  [
    'unless the title has the number, too',
    { titleTag: '6.1. Rice fields — The Farm documentation', heading: '6.1. Rice fields' },
    '6.1. Rice fields',
  ],
  [
    'one heading of several must be worded clearly alike',
    {
      titleTag: 'Rice Library Footprint',
      heading: 'Size Of The Rice Library',
      isOnlyHeading: false,
    },
    'Rice Library Footprint',
  ],
  [
    'the only one need not be',
    { titleTag: 'Rice Library Footprint', heading: 'Size Of The Rice Library' },
    'Size Of The Rice Library',
  ],
  [
    'a heading like the beginning of the title is the title',
    { titleTag: 'Index — Rice 3.11 documentation', heading: 'Index – M' },
    'Index – M',
  ],
  [
    'a heading may go on behind a short title',
    { titleTag: 'rice-mv(1)', heading: 'rice-mv(1) Manual Page' },
    'rice-mv(1) Manual Page',
  ],
  [
    'a heading on the front page is seldom its name',
    { titleTag: 'Rice Talk: seeds and soil', heading: 'Rice Talk turns 5', isFrontPage: true },
    'Rice Talk: seeds and soil',
  ],
  ['without a title the social one counts', { ogTitle: 'How rice grows' }, 'How rice grows'],
  ['without both the heading', { heading: 'How rice grows' }, 'How rice grows'],
  ['without anything there is none', {}, ''],
]

for (const [what, sources, title] of CASES) {
  test(`title: ${what}`, () => assert.equal(titleOf({ ...NOTHING, ...sources }), title))
}

const heading = (text: string, level: number, at: number) => ({ text, level, at })

test('the heading that the title begins with wins over the name of the site', () => {
  const headings = [heading('Rice and More', 1, 0), heading('How it grows in the hills', 1, 90)]
  const found = headingOf(headings, 'How it grows in the hills | Rice and More', '')
  assert.equal(found?.at, 90)
})

test('a lower heading counts only when it says exactly what the title says', () => {
  const headings = [
    heading('How rice grows', 2, 10),
    heading('How rice grows in cold places', 2, 50),
  ]
  assert.equal(headingOf(headings, 'How rice grows', '')?.at, 10)
  assert.equal(headingOf(headings.slice(1), 'How rice grows', ''), null)
})

test('a heading on every page of a site yields to one like the start of the title', () => {
  const headings = [heading('Rice 3.2 documentation', 1, 0), heading('FAQ: The field', 1, 90)]
  assert.equal(headingOf(headings, 'FAQ: The field — Rice 3.2 documentation', '')?.at, 90)
})

test('numbered sections are not the heading of a page, but show where it begins', () => {
  const headings = [heading('1. Overview of Fields', 1, 5), heading('2. Rice Fields', 1, 90)]
  assert.equal(headingOf(headings, 'Rice Fields', '')?.at, 5)
})
