import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SecondFactorNeeded } from '../../contract/dashboard/session.ts'
import { accountApi } from '../app/resources.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import { CodeStep } from './CodeStep.tsx'
import { useEnter } from './enter.ts'
import { Sheet } from './Sheet.tsx'
import layout from '../parts/layout.module.css'
import styles from './sign-in.module.css'
import { signInWords } from './words.ts'

/** The page of the sign-in by e-mail address and password. */
export function SignIn() {
  const t = useWords(signInWords)
  const { next } = useSearch({ from: '/sign-in' })
  const [needed, setNeeded] = useState<SecondFactorNeeded | null>(null)
  if (needed) {
    return (
      <Sheet title={t('second_step')}>
        <CodeStep needed={needed} next={next} onRestart={() => setNeeded(null)} />
      </Sheet>
    )
  }
  return (
    <Sheet title={t('sign_in')}>
      <PasswordStep next={next} onSecondFactor={setNeeded} />
    </Sheet>
  )
}

function PasswordStep({
  next,
  onSecondFactor,
}: {
  next: string | undefined
  onSecondFactor(needed: SecondFactorNeeded): void
}) {
  const t = useWords(signInWords)
  const enter = useEnter(next)
  const view = useQuery(accountApi.get('/sign-in')).data
  const form = useApiForm({
    values: { email: '', password: '' },
    onSubmit: async (json) => {
      const answer = await accountApi.call('post', '/session', json)
      if ('status' in answer) onSecondFactor(answer)
      else await enter()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack>
        <TextInput
          label={t('email')}
          type="email"
          autoComplete="username"
          dir="ltr"
          data-autofocus
          {...form.field('email')}
        />
        <PasswordInput
          label={t('password')}
          autoComplete="current-password"
          dir="ltr"
          {...form.field('password')}
        />
        <FormFoot form={form} act={t('sign_in')}>
          <Link to="/forgotten-password" className={styles.aside}>
            {t('forgotten')}
          </Link>
        </FormFoot>
        {view?.isSetUpOpen === true && (
          <p className={layout.quiet}>
            {t('set_up_open')} <Link to="/set-up">{t('to_set_up')}</Link>
          </p>
        )}
      </Stack>
    </form>
  )
}
