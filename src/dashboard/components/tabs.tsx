// Tabs that are links, and one of a few choices side by side.
type Tab = { readonly href: string; readonly label: string; readonly current: boolean }

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  )
}

export function Choice<V extends string>({
  name,
  label,
  value,
  choices,
  onChange,
}: {
  /** Unique in the page. */
  readonly name: string
  readonly label: string
  readonly value: V
  readonly choices: readonly { readonly value: V; readonly label: string }[]
  readonly onChange: (value: V) => void
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
