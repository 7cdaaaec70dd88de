// One option of a crawl as a field, by its kind.
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
import { t } from '../i18n/i18n.ts'
import { optionWords } from '../i18n/option-words.ts'
import { isOn, OFF, ON } from './draft.ts'
import type { KnownOption } from './known-options.ts'

export const fieldId = (name: string): string => `field-${name.replaceAll('.', '-')}`

export function OptionField({
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
