import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { accountApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import type { Role } from '../../core/vocabulary/accounts.ts'
import { SecretDialog } from '../parts/Dialogs.tsx'
import { Form, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useSpan } from '../words/use-span.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { RolePicker } from './RolePicker.tsx'
import { teamWords } from './words-team.ts'

/** A dialog that invites by e-mail, or without a mail server by a link that is shown once. */
export function InviteDialog({ onClose }: { onClose(): void }) {
  const t = useWords(teamWords)
  const span = useSpan()
  const { hasMail } = useSession()
  const [made, setMade] = useState<{ email: string; link: string } | null>(null)
  const values: { email: string; role: Role } = { email: '', role: 'agent' }
  const form = useApiForm({
    values,
    onSubmit: async (json) => {
      const { invitation, token } = await accountApi.call('post', '/invitations', json)
      void accountApi.changed('/invitations')
      const { email } = invitation
      if (token !== null) return setMade({ email, link: `${location.origin}/invitation#${token}` })
      toastSuccess(t('invited', { email }))
      onClose()
    },
  })
  useLeaveGuard(form.isBusy && !hasMail)
  if (made !== null) {
    return (
      <SecretDialog
        kind="invitation"
        title={t('link_title', { email: made.email })}
        secret={made.link}
        onClose={onClose}
      >
        <p className={layout.help}>{t('link_why')}</p>
      </SecretDialog>
    )
  }
  return (
    <Modal
      opened
      // The dialog stays open during the request, because the link is shown only once.
      onClose={() => form.isBusy || onClose()}
      title={t('invite_title')}
    >
      <Form form={form} act={t('invite_act')}>
        <TextInput
          label={t('email')}
          description={
            hasMail
              ? t('with_mail', { span: span(SIGN_IN_LIMITS.invitationMs) })
              : t('without_mail')
          }
          type="email"
          dir="ltr"
          autoComplete="off"
          data-autofocus
          {...form.field('email')}
        />
        <RolePicker {...form.pick('role')} />
      </Form>
    </Modal>
  )
}
