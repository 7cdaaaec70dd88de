// A long text, written or taken from a file of the reader's machine.
import { useRef } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Field, type FieldProps, inputProps } from '../components/field.tsx'
import { t } from '../i18n/i18n.ts'

/** The server takes no larger body. */
const MAX_FILE_BYTES = 1024 * 1024

export function FileField(
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
