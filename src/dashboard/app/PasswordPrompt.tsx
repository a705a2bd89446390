import { Button, Modal, PasswordInput } from '@mantine/core'
import { useState, useSyncExternalStore, type FormEvent } from 'react'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import { api, ask, Refusal } from './api.ts'

type Waiting = (isEntered: boolean) => void

let waiting: Waiting | null = null
const listeners = new Set<() => void>()

function wait(next: Waiting | null): void {
  waiting = next
  for (const tell of listeners) tell()
}

/** Asks for the password, for what makes, shows or replaces a secret. False where the person thought better of it. */
export function askForPassword(): Promise<boolean> {
  waiting?.(false)
  return new Promise((resolve) => wait(resolve))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The dialog behind `askForPassword`; stands once, around the pages. */
export function PasswordPrompt() {
  const t = useWords(partsWords)
  const asking = useSyncExternalStore(subscribe, () => waiting)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const end = (isEntered: boolean) => {
    setPassword('')
    setError(null)
    wait(null)
    asking?.(isEntered)
  }
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await ask(api.session['confirm-password'].$post({ json: { password } }))
      end(true)
    } catch (thrown) {
      setError(thrown instanceof Refusal && thrown.detail !== '' ? thrown.detail : t('offline'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={asking !== null}
      onClose={() => end(false)}
      title={t('password_again')}
      zIndex={300}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={(event) => void confirm(event)}>
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          data-autofocus
          dir="ltr"
          value={password}
          error={error}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" variant="filled" mt="lg" loading={isBusy}>
          {t('go_on')}
        </Button>
      </form>
    </Modal>
  )
}
