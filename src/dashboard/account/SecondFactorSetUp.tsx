import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { BegunSecondFactor } from '../../contract/dashboard/second-factor.ts'
import { accountApi } from '../app/resources.ts'
import { CodeBlock } from '../parts/Code.tsx'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { QrPicture } from '../parts/QrPicture.tsx'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { secondFactorWords } from './words-second-factor.ts'

/** The setup of two-factor authentication, which takes effect once a code of the app was confirmed. */
export function SecondFactorSetUp({ onBegun, onDone }: { onBegun?(): void; onDone(): void }) {
  const t = useWords(secondFactorWords)
  const [begun, setBegun] = useState<BegunSecondFactor | null>(null)
  const begin = async () => {
    setBegun(await accountApi.call('post', '/me/second-factor/begin'))
    onBegun?.()
  }
  if (begun !== null) return <ConfirmFactor begun={begun} onDone={onDone} />
  return (
    <div>
      <ActButton variant="filled" act={begin}>
        {t('set_up')}
      </ActButton>
    </div>
  )
}

function ConfirmFactor({ begun, onDone }: { begun: BegunSecondFactor; onDone(): void }) {
  const t = useWords(secondFactorWords)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const form = useApiForm({
    values: { code: '' },
    onSubmit: async (json) => {
      const { recoveryCodes } = await accountApi.call('post', '/me/second-factor/confirm', json)
      toastSuccess(t('was_on'))
      setCodes(recoveryCodes)
    },
  })
  useLeaveGuard(form.isBusy)
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <p className={layout.help}>{t('scan')}</p>
        <QrPicture text={begun.uri} label={t('picture')} />
        <p className={layout.help}>{t('or_type')}</p>
        <CodeBlock code={begun.secret} label={t('or_type')} />
        <p className={layout.help}>
          {t('or_open')} <a href={begun.uri}>{t('open_app')}</a>
        </p>
        <TextInput
          label={t('then_code')}
          description={t('code_help')}
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.field('code')}
        />
        <FormFoot form={form} act={t('confirm')} />
      </Stack>
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={onDone} />}
    </form>
  )
}
