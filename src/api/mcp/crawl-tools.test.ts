import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RIG_SETTINGS } from '../../../test/support/api-rig.ts'
import { namedPlugin, type PluginRecord } from '../../core/plugin.ts'
import { type CrawlToolDeps, crawlTool } from './crawl-tools.ts'

function fieldsOf(plugins: readonly PluginRecord[]): string[] {
  const settings = { ...RIG_SETTINGS, plugins }
  const deps = { settings, dispatcher: { maxConnections: 16 } } as unknown as CrawlToolDeps
  return Object.keys(crawlTool(deps).input.properties).sort()
}

test('a model is offered the options it has a use for, and plug-ins where there are some', () => {
  const usual = [
    ...[
      'delay',
      'duration',
      'exclude',
      'include',
      'keywords',
      'language',
      'max_depth',
      'max_pages',
    ],
    ...['name', 'ordering', 'scope', 'topic', 'url', 'urls'],
  ]
  assert.deepEqual(fieldsOf([]), usual)
  assert.deepEqual(fieldsOf([namedPlugin('mine')]), [...usual, 'plugin'].sort())
})
