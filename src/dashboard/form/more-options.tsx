// All other options, folded away by group. A group with something wrong in it opens by itself.
import { t } from '../i18n/i18n.ts'
import { changedOf, type Draft } from './draft.ts'
import { type Group, groupsOf, type KnownOption, type KnownOptions } from './known-options.ts'
import { OptionField, OrderingOptions } from './option-field.tsx'

type Props = {
  readonly known: KnownOptions
  readonly draft: Draft
  readonly errors: ReadonlyMap<string, string>
  readonly standardOrdering: string
  readonly onChange: (name: string, value: string) => void
}

export function MoreOptions(props: Props) {
  return (
    <section class="card" aria-labelledby="more-options">
      <h2 id="more-options">{t('form.more')}</h2>
      <p class="muted small">{t('form.moreHelp')}</p>
      {groupsOf(props.known).map(({ group, options }) => (
        <GroupOptions key={group} group={group} options={options} {...props} />
      ))}
    </section>
  )
}

function GroupOptions({
  group,
  options,
  known,
  draft,
  errors,
  standardOrdering,
  onChange,
}: Props & { readonly group: Group; readonly options: readonly KnownOption[] }) {
  const changed = changedOf(draft, options)
  const wrong =
    options.some(({ name }) => errors.has(name)) ||
    (group === 'order' && errors.has('ordering_option'))
  return (
    <details class="option-group" open={wrong || undefined}>
      <summary>
        {t(`group.${group}`)}
        {changed > 0 && <span class="changed">{t('form.changed', { n: changed })}</span>}
      </summary>
      <div class="field-grid">
        {options.map((option) => (
          <OptionField
            key={option.name}
            option={option}
            value={draft[option.name] ?? ''}
            error={errors.get(option.name)}
            onChange={(value) => onChange(option.name, value)}
          />
        ))}
        {group === 'order' && (
          <OrderingOptions
            orderings={known.orderings}
            draft={draft}
            errors={errors}
            standard={standardOrdering}
            onChange={onChange}
          />
        )}
      </div>
    </details>
  )
}
