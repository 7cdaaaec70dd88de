// The options of a crawl as fields: one by its kind, the orderings, and all others folded away by group.
import { useRef } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import {
  AreaField,
  CheckField,
  Field,
  type FieldProps,
  inputProps,
  SelectField,
  TextField,
} from '../components/field.tsx'
import { Notice } from '../components/notice.tsx'
import { t } from '../i18n/i18n.ts'
import { labelOf, optionWords, orderingAbout, orderingOptionHelp } from '../i18n/option-words.ts'
import { changedOf, type Draft, isOn, OFF, ON, ORDERING_OPTION, ORDERING_RULES } from './draft.ts'
import {
  type Group,
  groupsOf,
  type KnownOption,
  type KnownOptions,
  type KnownOrdering,
} from './known-options.ts'

export const fieldId = (name: string): string => `field-${name.replaceAll('.', '-')}`

function OptionField({
  option,
  value,
  error,
  onChange,
}: {
  readonly option: KnownOption
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
}) {
  const { label, help } = optionWords(option)
  const id = fieldId(option.name)
  const standard = option.default
  const shared = { id, label, help, error, value, onChange, placeholder: standard }
  // Long texts, which may lie in a file of the reader's.
  if (option.carries !== null) return <FileField {...shared} />
  if (option.kind === 'flag') {
    const checked = value === '' ? isOn(option) : value === ON
    return (
      <CheckField
        id={id}
        label={label}
        help={help}
        error={error}
        checked={checked}
        onChange={(on) => onChange(on ? ON : OFF)}
      />
    )
  }
  if (option.kind === 'choice') {
    const first = { value: '', label: t('form.byDefault', { value: standard }) }
    const rest = (option.choices ?? []).map((choice) => ({ value: choice, label: choice }))
    return <SelectField {...shared} choices={[first, ...rest]} />
  }
  if (option.kind === 'list') {
    return <AreaField {...shared} mono rows={2} help={`${help} ${t('form.onePerLine')}`} />
  }
  return <TextField {...shared} inputMode={option.kind === 'number' ? 'decimal' : 'text'} />
}

/** The server takes no larger body. */
const MAX_FILE_BYTES = 1024 * 1024

function FileField(
  props: FieldProps & { readonly value: string; readonly onChange: (value: string) => void },
) {
  const { value, onChange } = props
  const picker = useRef<HTMLInputElement>(null)
  const take = async (file: File | undefined): Promise<void> => {
    if (file !== undefined) onChange(await file.slice(0, MAX_FILE_BYTES).text())
  }
  return (
    <Field {...props}>
      <textarea
        {...inputProps(props)}
        class="input mono"
        rows={3}
        value={value}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <div>
        <Button small onClick={() => picker.current?.click()}>
          {t('form.file')}
        </Button>
        <input
          ref={picker}
          type="file"
          class="unseen"
          tabIndex={-1}
          aria-hidden="true"
          accept=".json,.jsonl,.txt,application/json,text/plain"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </div>
    </Field>
  )
}

type Props = {
  readonly orderings: readonly KnownOrdering[]
  readonly draft: Draft
  readonly errors: ReadonlyMap<string, string>
  readonly standard: string
  readonly onChange: (name: string, value: string) => void
}

/** Which URL goes first: the orderings with what each is for, and the options of the chosen one. */
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
function OrderingOptions({ orderings, draft, errors, standard, onChange }: Props) {
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
      {chosen !== undefined && chosen.rules !== null && (
        <AreaField
          id={fieldId(ORDERING_RULES)}
          label={t('form.rules', { ordering: chosen.name })}
          help={`${orderingOptionHelp(chosen.name, 'rules', chosen.rules.help)} ${t('form.rulesForm')}`}
          error={undefined}
          mono
          rows={3}
          placeholder={rulesText(chosen.rules.given)}
          value={draft[ORDERING_RULES] ?? ''}
          onChange={(value) => onChange(ORDERING_RULES, value)}
        />
      )}
    </>
  )
}

function rulesText(rules: Readonly<Record<string, number>>): string {
  return Object.entries(rules)
    .map(([name, worth]) => `${name}=${worth}`)
    .join('\n')
}

function chosenOf({
  orderings,
  draft,
  standard,
}: Pick<Props, 'orderings' | 'draft' | 'standard'>): KnownOrdering | undefined {
  return orderings.find(({ name }) => name === (draft.ordering ?? standard))
}

type MoreOptionsProps = {
  readonly known: KnownOptions
  readonly draft: Draft
  readonly errors: ReadonlyMap<string, string>
  readonly standardOrdering: string
  readonly onChange: (name: string, value: string) => void
}

/** All other options, folded away by group. A group with something wrong in it opens by itself. */
export function MoreOptions(props: MoreOptionsProps) {
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
}: MoreOptionsProps & { readonly group: Group; readonly options: readonly KnownOption[] }) {
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
