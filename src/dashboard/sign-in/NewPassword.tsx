import { PasswordInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { accountApi } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Banner, ReadState } from '../parts/Page.tsx'
import { useSpan } from '../words/use-span.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { passwordRule } from './password-rule.ts'
import { Sheet } from './Sheet.tsx'
import layout from '../parts/layout.module.css'
import { useTokenOfLink } from './token-in-address.ts'
import { signInWords } from './words.ts'

/** The page of a link from an e-mail, which works once within half an hour, for choosing a new password. */
export function NewPassword() {
  const t = useWords(signInWords)
  const span = useSpan()
  const token = useTokenOfLink()
  const [isChosen, setChosen] = useState(false)
  const reset = useQuery({
    queryKey: ['password-reset', token],
    enabled: token !== '' && !isChosen,
    queryFn: () => accountApi.call('post', '/password-reset/read', { token }),
  })
  const isOver =
    token === '' ||
    (reset.error instanceof ApiError && [400, 404, 422].includes(reset.error.status))
  return (
    <Sheet title={t('new_password')}>
      {isChosen ? (
        <>
          <Banner tone="ok" title={t('password_chosen')}>
            {t('password_chosen_why')}
          </Banner>
          <LinkButton to="/sign-in" search={{}} variant="filled">
            {t('sign_in')}
          </LinkButton>
        </>
      ) : isOver ? (
        <>
          <Banner tone="warn" title={t('reset_over')}>
            {t('reset_over_why', { span: span(SIGN_IN_LIMITS.passwordResetMs) })}
          </Banner>
          <LinkButton to="/forgotten-password">{t('request_again')}</LinkButton>
        </>
      ) : reset.data === undefined ? (
        <ReadState of={reset} rows={2} />
      ) : (
        <ChooseForm token={token} email={reset.data.email} onChosen={() => setChosen(true)} />
      )}
    </Sheet>
  )
}

function ChooseForm({
  token,
  email,
  onChosen,
}: {
  token: string
  email: string
  onChosen(): void
}) {
  const t = useWords(signInWords)
  const form = useApiForm({
    values: { newPassword: '' },
    onSubmit: async ({ newPassword }) => {
      await accountApi.call('post', '/password-reset/choose', { token, newPassword })
      onChosen()
    },
  })
  return (
    <Form form={form} act={t('save_password')}>
      <p className={layout.quiet}>
        <Rich
          words={signInWords}
          say="new_password_for"
          with={{ email: <b dir="ltr">{email}</b> }}
        />
      </p>
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={t('new_password')}
        description={t('password_rule', passwordRule)}
        dir="ltr"
        autoComplete="new-password"
        {...form.field('newPassword')}
      />
    </Form>
  )
}
