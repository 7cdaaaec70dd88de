// Parts that views are made of: no state of the crawler, no words of their own.
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

type ButtonLook = 'plain' | 'primary' | 'danger' | 'quiet' | 'bare'

type Shared = {
  readonly look?: ButtonLook
  readonly small?: boolean
  readonly icon?: IconName
  /** For screen readers, where the words alone do not say of what. */
  readonly label?: string
  readonly children: ComponentChildren
}

const classOf = ({ look = 'plain', small = false }: Shared): string =>
  `button ${look}${small ? ' small' : ''}`

export function Button(
  props: Shared & {
    readonly submits?: boolean
    /** Stays reachable by keyboard, does nothing. */
    readonly disabled?: boolean
    readonly pressed?: boolean
    readonly onClick?: () => void
  },
) {
  const { look, submits = false, disabled = false, pressed, icon, label, children, onClick } = props
  return (
    <button
      type={submits ? 'submit' : 'button'}
      class={classOf(props)}
      aria-label={label}
      title={look === 'bare' ? label : undefined}
      aria-pressed={pressed}
      aria-disabled={disabled}
      onClick={(event) => {
        if (disabled) event.preventDefault()
        else onClick?.()
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Goes to another view. */
export function ButtonLink(props: Shared & { readonly href: string }) {
  const { href, icon, label, children } = props
  return (
    <a class={classOf(props)} href={href} aria-label={label}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  )
}
