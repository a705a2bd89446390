import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SecondFactorNeeded } from '../../contract/dashboard/session.ts'
import { accountApi } from '../app/resources.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { useEnter } from './enter.ts'
import layout from '../parts/layout.module.css'
import { signInWords } from './words.ts'

/** The second step of the sign-in: a code of the app, or a recovery code. */
export function CodeStep({
  needed,
  next,
  onRestart,
}: {
  needed: SecondFactorNeeded
  next?: string | undefined
  onRestart(): void
}) {
  const t = useWords(signInWords)
  const format = useFormat()
  const enter = useEnter(next)
  const [isRecovery, setRecovery] = useState(false)
  const form = useApiForm({
    values: { code: '' },
    onSubmit: async ({ code }) => {
      const { secondFactorToken } = needed
      await accountApi.call('post', '/session/second-factor', { secondFactorToken, code })
      await enter()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <TextInput
          key={String(isRecovery)}
          label={t(isRecovery ? 'recovery_code' : 'code')}
          description={t(isRecovery ? 'recovery_code_help' : 'code_help')}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          autoFocus
          dir="ltr"
          {...form.field('code')}
        />
        <FormFoot form={form} act={t('sign_in')}>
          <Button
            variant="transparent"
            onClick={() => {
              form.reset()
              setRecovery(!isRecovery)
            }}
          >
            {t(isRecovery ? 'use_code' : 'use_recovery_code')}
          </Button>
        </FormFoot>
        <p className={layout.quiet}>
          {t('code_until', { time: format.time(needed.expiresAt) })}{' '}
          <button type="button" className={layout.linkButton} onClick={onRestart}>
            {t('start_over')}
          </button>
        </p>
      </Stack>
    </form>
  )
}
