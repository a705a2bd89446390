import { Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { accountApi } from '../app/resources.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { Banner, ReadState } from '../parts/Page.tsx'
import { useSpan } from '../words/use-span.ts'
import { useWords } from '../words/use-words.tsx'
import { Sheet } from './Sheet.tsx'
import { signInWords } from './words.ts'

/** A form that requests a link by e-mail. The response does not reveal whether the address is known. */
export function ForgottenPassword() {
  const t = useWords(signInWords)
  const span = useSpan()
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const view = useQuery(accountApi.get('/sign-in'))
  return (
    <Sheet title={t('forgotten')}>
      <Stack>
        {view.data === undefined ? (
          <ReadState of={view} rows={2} />
        ) : !view.data.canResetPassword ? (
          <Banner tone="off" title={t('no_mail')}>
            {t('no_mail_why')}
          </Banner>
        ) : mailedTo === null ? (
          <AskForm onAsked={setMailedTo} />
        ) : (
          <Banner tone="ok" title={t('reset_asked')}>
            {t('reset_asked_why', {
              email: mailedTo,
              span: span(SIGN_IN_LIMITS.passwordResetMs),
            })}
          </Banner>
        )}
        <Link to="/sign-in" search={{}}>
          {t('back_to_sign_in')}
        </Link>
      </Stack>
    </Sheet>
  )
}

function AskForm({ onAsked }: { onAsked(email: string): void }) {
  const t = useWords(signInWords)
  const form = useApiForm({
    values: { email: '' },
    onSubmit: async (json) => {
      await accountApi.call('post', '/password-reset', json)
      onAsked(json.email)
    },
  })
  return (
    <Form form={form} act={t('mail_link')}>
      <TextInput
        label={t('email')}
        description={t('forgotten_help')}
        type="email"
        dir="ltr"
        autoComplete="username"
        {...form.field('email')}
      />
    </Form>
  )
}
