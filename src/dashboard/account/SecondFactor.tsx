import { Button, Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { Panel } from '../parts/Page.tsx'
import { Pill } from '../parts/Pill.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { SecondFactorSetUp } from './SecondFactorSetUp.tsx'
import { secondFactorWords } from './words-second-factor.ts'

/** The person's two-factor authentication: its state, and the number of recovery codes left. */
export function SecondFactor() {
  const t = useWords(secondFactorWords)
  const format = useFormat()
  const [asked, setAsked] = useState<'set_up' | 'switch_off' | 'renew' | null>(null)
  const { data: factor } = useSuspenseQuery(accountApi.get('/me/second-factor'))
  const done = () => {
    setAsked(null)
    void accountApi.changed('/me/second-factor')
  }
  return (
    <Panel title={t('title')}>
      <Stack>
        <p className={layout.help}>{t('lead')}</p>
        {asked === 'set_up' || !factor.isOn ? (
          <>
            {asked === null && (
              <div>
                <Pill tone="off">{t('off')}</Pill>
              </div>
            )}
            <SecondFactorSetUp onBegun={() => setAsked('set_up')} onDone={done} />
          </>
        ) : (
          <>
            <div className={layout.row}>
              <Pill tone="ok">{t('on', { time: format.dateTime(factor.onSince!) })}</Pill>
              <Pill tone={factor.recoveryCodesLeft < 3 ? 'warn' : 'off'} icon="lock">
                {t('left', { n: factor.recoveryCodesLeft })}
              </Pill>
            </div>
            <div className={layout.row}>
              <Button size="xs" onClick={() => setAsked('renew')}>
                {t('renew')}
              </Button>
              <Button size="xs" onClick={() => setAsked('switch_off')}>
                {t('switch_off')}
              </Button>
            </div>
          </>
        )}
      </Stack>
      {asked === 'switch_off' && <SwitchOff onDone={done} onClose={() => setAsked(null)} />}
      {asked === 'renew' && <Renew onDone={done} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

type Dialog = { onDone(): void; onClose(): void }

function SwitchOff({ onDone, onClose }: Dialog) {
  const t = useWords(secondFactorWords)
  const { account } = useSession()
  const submit = async (json: { code: string }) => {
    await accountApi.call('post', '/me/second-factor/switch-off', json)
    toastSuccess(t('was_off'))
    onDone()
  }
  return (
    <CodeDialog
      title={t('off_title')}
      why={account.needsSecondFactor ? `${t('off_why')} ${t('must_stay')}` : t('off_why')}
      act={t('switch_off')}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}

function Renew({ onDone, onClose }: Dialog) {
  const t = useWords(secondFactorWords)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes !== null) return <RecoveryCodesDialog codes={codes} onClose={onDone} />
  return (
    <CodeDialog
      title={t('renew_title')}
      why={t('renew_why')}
      act={t('renew')}
      onSubmit={async (json) => {
        const made = await accountApi.call('post', '/me/second-factor/recovery-codes', json)
        setCodes(made.recoveryCodes)
      }}
      onClose={onClose}
    />
  )
}

/** A dialog that asks for a code, which changes of two-factor authentication require. */
function CodeDialog({
  title,
  why,
  act,
  onSubmit,
  onClose,
}: {
  title: string
  why: string
  act: string
  onSubmit(values: { code: string }): Promise<void>
  onClose(): void
}) {
  const t = useWords(secondFactorWords)
  const form = useApiForm({ values: { code: '' }, onSubmit })
  useLeaveGuard(form.isBusy)
  return (
    <Modal
      opened
      // The dialog stays open during the request, because its result is shown only once.
      onClose={() => form.isBusy || onClose()}
      title={title}
    >
      <Form form={form} act={act}>
        <p className={layout.help}>{why}</p>
        <TextInput
          label={t('code')}
          dir="ltr"
          autoComplete="one-time-code"
          data-autofocus
          {...form.field('code')}
        />
      </Form>
    </Modal>
  )
}
