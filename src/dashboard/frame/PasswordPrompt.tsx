import { Button, PasswordInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Modal } from '../parts/Modal.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import { accountApi } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { answerPassword } from '../app/ask-for-password.ts'

/** The dialog that asks for the password again, before an act that requires it. */
export function PasswordPrompt() {
  const t = useWords(partsWords)
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await accountApi.call('post', '/session/confirm-password', { password })
      answerPassword(true)
    } catch (thrown) {
      setError(thrown instanceof ApiError && thrown.detail !== '' ? thrown.detail : t('offline'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={() => answerPassword(false)} title={t('password_again')} zIndex={300}>
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
