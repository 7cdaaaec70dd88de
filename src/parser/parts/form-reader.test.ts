import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PAGE, partsIn, rowsOf } from '../../../test/html/part-rows.ts'

test('a form has an action, a method and fields', () => {
  const html = `<form action="/search?a=1" method=POST>
    <input name=q required placeholder="Search for">
    <input type=hidden name=token value=secret><input type=password name=pw value=secret>
    <textarea name=more>secret</textarea><input type=submit value=Go><button>Go</button>
    <button name=act value=1>Act</button></form>`
  assert.deepEqual(rowsOf('forms', html), [
    {
      action: 'http://site.test/search?a=1',
      method: 'post',
      fields: [
        { name: 'q', type: 'text', required: true, label: 'Search for' },
        { name: 'token', type: 'hidden' },
        { name: 'pw', type: 'password' },
        { name: 'more', type: 'textarea' },
        { name: 'act', type: 'submit' },
      ],
    },
  ])
})

test('no value of a field is kept', () => {
  const fields = ['hidden', 'password', 'text', 'email', 'radio', 'submit', 'image']
  const inputs = fields.map((type) => `<input type=${type} name=n value=secret>`).join('')
  const html = `<form>${inputs}<textarea name=t>secret</textarea>
    <select name=s><option value=secret>Public</select></form>`
  assert.doesNotMatch(JSON.stringify(rowsOf('forms', html)), /secret/)
})

const LABELS: readonly (readonly [name: string, html: string, label: string | undefined])[] = [
  ['a label that names it', '<label for=i>Name</label><input id=i name=n>', 'Name'],
  ['a label that comes later', '<input id=i name=n><label for=i>Name</label>', 'Name'],
  ['a label around it', '<label>Name: <input name=n></label>', 'Name:'],
  ['words behind it', '<label><input type=checkbox name=n> Yes, <b>do</b></label>', 'Yes, do'],
  ['a label for assistive software', '<input name=n aria-label="Your name">', 'Your name'],
  ['a placeholder', '<input name=n placeholder=Name>', 'Name'],
  ['a label before a placeholder', '<label>Name<input name=n placeholder=x></label>', 'Name'],
  [
    'a choice, without what can be chosen',
    '<label>Size<select name=n><option>S</select></label>',
    'Size',
  ],
  [
    'words behind a choice',
    '<label><select name=n><option>S</select> is the size</label>',
    'is the size',
  ],
  ['a label without words', '<label><input name=n></label>', undefined],
  ['nothing', 'Name <input name=n>', undefined],
]

for (const [name, html, label] of LABELS) {
  test(`the label of a field: ${name}`, () => {
    const [form] = rowsOf('forms', `<form>${html}</form>`) as [{ fields: [{ label?: string }] }]
    assert.equal(form.fields[0].label, label)
  })
}

test('the options of a field are listed, even without end tags', () => {
  const html = `<form><select name=s><optgroup label=x><option selected>Small<option>Large
    <option value=3></select><select name=t><option>A</option></select></form>`
  const [form] = rowsOf('forms', html) as [{ fields: unknown }]
  assert.deepEqual(form.fields, [
    { name: 's', type: 'select', options: ['Small', 'Large'] },
    { name: 't', type: 'select', options: ['A'] },
  ])
})

const ACTIONS: readonly (readonly [html: string, action: string, method: string])[] = [
  ['<form>', PAGE, 'get'],
  ['<form action="" method=dialog>', PAGE, 'dialog'],
  ['<form action="javascript:x()" method=put>', '', 'get'],
  ['<base href=/b/><form action=c>', 'http://site.test/b/c', 'get'],
]

for (const [html, action, method] of ACTIONS) {
  test(`${html} goes to "${action}" by ${method}`, () => {
    assert.deepEqual(rowsOf('forms', html), [{ action, method, fields: [] }])
  })
}

test('forms do not nest, and fields outside a form are dropped', () => {
  const html = '<input name=a><form action=x><form action=y><input name=b></form><input name=c>'
  assert.deepEqual(rowsOf('forms', html), [
    { action: 'http://site.test/folder/x', method: 'get', fields: [{ name: 'b', type: 'text' }] },
  ])
})

const HOSTILE: readonly (readonly [name: string, html: string])[] = [
  ['100,000 forms', '<form></form>'.repeat(100_000)],
  ['a million fields', `<form>${'<input name=a>'.repeat(1e6)}`],
  ['a million options', `<form><select name=a>${'<option>a'.repeat(1e6)}`],
]

for (const [name, html] of HOSTILE) {
  test(`forms are cut and flagged: ${name}`, () => {
    const { parts, cut } = partsIn(html, ['forms'])
    assert.deepEqual(cut, ['forms'])
    assert.ok((parts.forms?.length ?? 0) < 50_000)
  })
}

test('endless labels cost nothing', () => {
  const html = `<form>${Array.from({ length: 1e5 }, (_, i) => `<label for=${i}>word`).join('')}`
  assert.equal(rowsOf('forms', html).length, 1)
})
