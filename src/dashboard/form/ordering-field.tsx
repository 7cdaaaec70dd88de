// Which URL goes first: the orderings with what each is for, and the options of the chosen one.
import { Field, inputProps, TextField } from '../components/field.tsx'
import { Notice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { labelOf, orderingAbout, orderingOptionHelp } from '../i18n/option-words.ts'
import { type Draft, ORDERING_OPTION } from './draft.ts'
import type { KnownOrdering } from './known-options.ts'
import { fieldId } from './option-field.tsx'

type Props = {
  readonly orderings: readonly KnownOrdering[]
  readonly draft: Draft
  readonly errors: ReadonlyMap<string, string>
  readonly standard: string
  readonly onChange: (name: string, value: string) => void
}

export function OrderingField({ orderings, draft, errors, standard, onChange }: Props) {
  const chosen = chosenOf({ orderings, draft, standard })
  const field = {
    id: fieldId('ordering'),
    label: t('form.ordering'),
    error: errors.get('ordering'),
  }
  const hasTopic = (draft.topic ?? '').trim() !== '' || (draft.keywords ?? '').trim() !== ''
  return (
    <>
      <Field {...field}>
        <select
          {...inputProps(field)}
          class="input"
          value={chosen?.name ?? ''}
          onChange={(event) => onChange('ordering', event.currentTarget.value)}
        >
          <Named orderings={orderings} focused={false} label={t('form.orderingGeneral')} />
          <Named orderings={orderings} focused={true} label={t('form.orderingFocused')} />
        </select>
      </Field>
      {hasTopic && chosen?.focused === false && <Notice>{t('form.orderingSuggestion')}</Notice>}
    </>
  )
}

function Named({
  orderings,
  focused,
  label,
}: {
  readonly orderings: readonly KnownOrdering[]
  readonly focused: boolean
  readonly label: string
}) {
  return (
    <optgroup label={label}>
      {orderings
        .filter((ordering) => ordering.focused === focused)
        .map((ordering) => (
          <option key={ordering.name} value={ordering.name}>
            {`${ordering.name}: ${orderingAbout(ordering)}`}
          </option>
        ))}
    </optgroup>
  )
}

/** Numbers that only the chosen ordering knows. */
export function OrderingOptions({ orderings, draft, errors, standard, onChange }: Props) {
  const chosen = chosenOf({ orderings, draft, standard })
  const error = errors.get('ordering_option')
  return (
    <>
      {(chosen?.options ?? []).map(({ name, help, default: usual }, index) => (
        <TextField
          key={`${chosen?.name} ${name}`}
          id={index === 0 ? fieldId('ordering_option') : fieldId(ORDERING_OPTION + name)}
          label={`${chosen?.name}: ${labelOf(name.replaceAll('-', '_'))}`}
          help={orderingOptionHelp(chosen?.name ?? '', name, help)}
          error={index === 0 ? error : undefined}
          inputMode="decimal"
          placeholder={String(usual)}
          value={draft[ORDERING_OPTION + name] ?? ''}
          onChange={(value) => onChange(ORDERING_OPTION + name, value)}
        />
      ))}
    </>
  )
}

function chosenOf({
  orderings,
  draft,
  standard,
}: Pick<Props, 'orderings' | 'draft' | 'standard'>): KnownOrdering | undefined {
  return orderings.find(({ name }) => name === (draft.ordering ?? standard))
}
