// What a field of the form is called, for those who speak of it elsewhere.
import { type MessageKey, t } from '../i18n/i18n.ts'
import { optionWords } from '../i18n/option-words.ts'
import { visible } from '../web-text.ts'

const FRONT: Readonly<Record<string, MessageKey>> = {
  seeds: 'form.seeds',
  topic: 'form.topic',
  keywords: 'form.keywords',
  ordering: 'form.ordering',
  max_pages: 'form.maxPages',
  max_depth: 'form.maxDepth',
  scope: 'form.scope',
  name: 'form.name',
}

export function fieldLabel(name: string): string {
  const key = Object.hasOwn(FRONT, name) ? FRONT[name] : undefined
  return key === undefined ? visible(optionWords({ name, help: '' }).label, 60) : t(key)
}
