import { roleWords } from '../../core/words/role-words.ts'
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenInvitationView } from '../../contract/dashboard/member.ts'
import type { SecondFactorNeeded } from '../../contract/dashboard/session.ts'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { accountApi } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { appWords } from '../frame/words.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { Banner, ReadState } from '../parts/Page.tsx'
import { useSpan } from '../words/use-span.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import { CodeStep } from './CodeStep.tsx'
import { useEnter } from './enter.ts'
import { passwordRule } from './password-rule.ts'
import { Sheet } from './Sheet.tsx'
import layout from '../parts/layout.module.css'
import { useTokenOfLink } from './token-in-address.ts'
import { signInWords } from './words.ts'

/** The page of an invitation, which the invited person accepts by choosing a password. */
export function Invitation() {
  const ofLink = useTokenOfLink()
  const [typed, setTyped] = useState('')
  const token = typed === '' ? ofLink : typed
  const t = useWords(signInWords)
  const span = useSpan()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    enabled: token !== '',
    queryFn: () => accountApi.call('post', '/invitations/read', { token }),
  })
  const isOver = invitation.error instanceof ApiError && invitation.error.status === 404
  return (
    <Sheet title={t('invitation')}>
      {token === '' ? (
        <TokenForm onToken={setTyped} />
      ) : isOver ? (
        <Banner tone="warn" title={t('invitation_over')}>
          {t('invitation_over_why', { span: span(SIGN_IN_LIMITS.invitationMs) })}
        </Banner>
      ) : invitation.data === undefined ? (
        <ReadState of={invitation} rows={3} />
      ) : (
        <Accept token={token} invitation={invitation.data} />
      )}
    </Sheet>
  )
}

/** A form for the token, which Owners pass on by other means when the service has no mail server. */
function TokenForm({ onToken }: { onToken(token: string): void }) {
  const t = useWords(signInWords)
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onToken(text.trim())
      }}
    >
      <Stack>
        <TextInput
          label={t('invitation_token')}
          description={t('invitation_token_help')}
          dir="ltr"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Button type="submit" variant="filled" disabled={text.trim() === ''}>
            {t('go_on')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function Accept({ token, invitation }: { token: string; invitation: OpenInvitationView }) {
  const t = useWords(signInWords)
  const app = useWords(appWords)
  const nameOfRole = useWords(roleWords)
  const enter = useEnter()
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null)
  const { email, role, accountName, isNewPerson } = invitation
  const form = useApiForm({
    values: { name: '', password: '' },
    onSubmit: async ({ name, password }) => {
      const json = { token, password, ...(isNewPerson && { name }) }
      const answer = await accountApi.call('post', '/invitations/accept', json)
      if ('status' in answer) setNeeded(answer)
      else await enter()
    },
  })
  if (needed) return <CodeStep needed={needed} onRestart={() => setNeeded(null)} />
  return (
    <Form form={form} act={t('accept')}>
      <p className={layout.quiet}>
        <Rich
          words={signInWords}
          say="invited_as"
          with={{
            account: <strong>{accountName ?? app('unnamed')}</strong>,
            role: nameOfRole(role),
            email: <span dir="ltr">{email}</span>,
          }}
        />
      </p>
      {isNewPerson && <TextInput label={t('name')} autoComplete="name" {...form.field('name')} />}
      <PasswordInput
        label={t(isNewPerson ? 'choose_password' : 'password')}
        description={isNewPerson ? t('password_rule', passwordRule) : t('own_password')}
        dir="ltr"
        autoComplete={isNewPerson ? 'new-password' : 'current-password'}
        {...form.field('password')}
      />
    </Form>
  )
}
