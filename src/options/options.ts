// The options of a crawl, made from the table. Orderings come from their own list, which the table does not
// know.
import { isModulePath } from '../core/plugin.ts'
import { choice, type Option } from './option.ts'
import type { SettingInfo } from './setting.ts'
import {
  type CrawlChoices,
  keysIn,
  OPTION_GROUPS,
  type OptionGroup,
  type OptionKey,
  TABLE,
} from './table.ts'

export type { CrawlChoices } from './table.ts'

export type CrawlOption = Option<CrawlChoices> & SettingInfo & { readonly group: OptionGroup }
type Names = readonly { readonly name: string }[]

/** Group by group. */
export function crawlOptions(orderings: Names): readonly CrawlOption[] {
  return OPTION_GROUPS.flatMap((group) => optionsIn(group)).map((option) =>
    option.name === 'ordering' ? { ...option, ...orderingOption(option, orderings) } : option,
  )
}

export function optionsIn(group: OptionGroup): readonly CrawlOption[] {
  return keysIn(group).map((key) => ({ ...optionOf(key), group }))
}

/** An option by the name of its setting; also for commands that start no crawl. */
export function optionOf<Key extends OptionKey>(
  key: Key,
): Option<Pick<CrawlChoices, Key>> & SettingInfo {
  const setting = TABLE[key]
  const info: SettingInfo = setting
  return { ...info, read: (raw, at) => chosen(key, setting.read(raw, at)) }
}

function chosen<Key extends OptionKey>(
  key: Key,
  value: CrawlChoices[Key],
): Partial<Pick<CrawlChoices, Key>> {
  const choices: { [One in Key]?: CrawlChoices[One] } = {}
  choices[key] = value
  return choices
}

function orderingOption({ help, ...info }: CrawlOption, orderings: Names): Option<CrawlChoices> {
  const names = orderings.map(({ name }) => name)
  const option = choice({
    ...info,
    choices: names,
    help: `${help}: ${names.join(', ')}`,
    to: (ordering: string) => ({ ordering }),
  })
  // The module of a plug-in that has an ordering.
  const isModule = (raw: unknown): raw is string => typeof raw === 'string' && isModulePath(raw)
  return {
    ...option,
    read: (raw, at) => (isModule(raw) ? { ordering: raw } : option.read(raw, at)),
  }
}
