import { PasswordInput, Stack, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api, ask } from '../app/api.ts'
import { queries } from '../app/queries.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import { signInWords } from './words.ts'
import { Sheet } from './Sheet.tsx'

export function SignIn() {
  const t = useWords(signInWords)
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const form = useApiForm({
    values: { email: '', password: '' },
    onSubmit: async (json) => {
      await ask(api.session.$post({ json }))
      queries.clear()
      await navigate({ to: ownPath(next) })
    },
  })
  return (
    <Sheet title={t('sign_in')}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            dir="ltr"
            {...form.register('email')}
            error={form.errorOf('email')}
          />
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            dir="ltr"
            {...form.register('password')}
            error={form.errorOf('password')}
          />
          <FormFoot form={form} act={t('sign_in')} />
        </Stack>
      </form>
    </Sheet>
  )
}

/** Back to a page of ours only: an address that names a host leads nowhere else. */
export function ownPath(next: string | undefined): string {
  if (next === undefined || !/^\/(?![/\\])/.test(next)) return '/'
  return URL.parse(next, location.origin)?.origin === location.origin ? next : '/'
}
