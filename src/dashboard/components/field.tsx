// Fields of forms: label, help and what is wrong with it, bound together for screen readers.
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

export type FieldProps = {
  /** Unique in the page. */
  readonly id: string
  readonly label: ComponentChildren
  readonly help?: ComponentChildren
  readonly error?: string | undefined
}

/** What the input itself needs to be bound to its help and its error. */
export function inputProps({ id, help, error }: FieldProps) {
  const about = [help ? `${id}-help` : '', error ? `${id}-error` : ''].filter((part) => part !== '')
  return {
    id,
    'aria-invalid': error ? ('true' as const) : undefined,
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
  }
}

export function Field(props: FieldProps & { readonly children: ComponentChildren }) {
  const { id, label, children } = props
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <FieldNotes {...props} />
    </div>
  )
}

function FieldNotes({ id, help, error }: FieldProps) {
  return (
    <>
      {help && (
        <p class="field-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="warning" />
          <span>{error}</span>
        </p>
      )}
    </>
  )
}

type Written = FieldProps & {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string | undefined
}

export function TextField(
  props: Written & {
    readonly secret?: boolean
    readonly inputMode?: 'text' | 'numeric' | 'decimal'
    readonly autoComplete?: string
    readonly onEnter?: () => void
  },
) {
  const { value, onChange, placeholder, secret = false, inputMode, autoComplete = 'off' } = props
  const { onEnter } = props
  const shared = {
    ...inputProps(props),
    class: 'input',
    value,
    placeholder,
    inputMode,
    autoComplete,
    spellcheck: false,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
    ...(onEnter && {
      onKeyDown: ({ key }: { readonly key: string }) => {
        if (key === 'Enter') onEnter()
        if (key === 'Escape') onChange('')
      },
    }),
  }
  return (
    <Field {...props}>
      {secret ? <input type="password" {...shared} /> : <input type="text" {...shared} />}
    </Field>
  )
}

export function AreaField(props: Written & { readonly rows?: number; readonly mono?: boolean }) {
  const { value, onChange, placeholder, rows = 3, mono = false } = props
  return (
    <Field {...props}>
      <textarea
        {...inputProps(props)}
        class={mono ? 'input mono' : 'input'}
        rows={rows}
        value={value}
        placeholder={placeholder}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  )
}

export type Choosable = { readonly value: string; readonly label: string }

export function SelectField(props: Written & { readonly choices: readonly Choosable[] }) {
  const { value, onChange, choices } = props
  return (
    <Field {...props}>
      <select
        {...inputProps(props)}
        class="input"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function CheckField(
  props: FieldProps & { readonly checked: boolean; readonly onChange: (checked: boolean) => void },
) {
  const { id, label, checked, onChange } = props
  return (
    <div class="check">
      <input
        {...inputProps(props)}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      <FieldNotes {...props} />
    </div>
  )
}
