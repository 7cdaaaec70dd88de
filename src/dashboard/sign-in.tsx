// Asks for the token of a server that is open to more than this machine.
import { useState } from 'preact/hooks'
import { type Failure, post, signInNeeded } from './api.ts'
import { Button } from './components/button.tsx'
import { TextField } from './components/field.tsx'
import { failureText } from './components/notice.tsx'
import { t } from './i18n/i18n.ts'
import { useTitle } from './state/title.ts'

export function SignIn() {
  useTitle(t('session.title'))
  const [token, setToken] = useState('')
  const [failure, setFailure] = useState<Failure | null>(null)
  const enter = async (): Promise<void> => {
    const answer = await post('/login', { token })
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) signInNeeded.value = false
    else document.querySelector<HTMLElement>('#token')?.focus()
  }
  const wrong = failure?.status === 401 ? t('session.wrong') : failure && failureText(failure)
  return (
    <form
      class="card stack sign-in"
      onSubmit={(event) => {
        event.preventDefault()
        void enter()
      }}
    >
      <h1>{t('session.title')}</h1>
      <TextField
        id="token"
        secret
        autoComplete="current-password"
        label={t('session.token')}
        help={t('session.help')}
        error={wrong ?? undefined}
        value={token}
        onChange={setToken}
      />
      <div>
        <Button submits look="primary">
          {t('session.enter')}
        </Button>
      </div>
    </form>
  )
}
