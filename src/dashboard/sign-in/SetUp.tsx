import { PasswordInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { accountApi } from '../app/resources.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { LinkButton } from '../parts/LinkButton.tsx'
import { Banner } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useEnter } from './enter.ts'
import { passwordRule } from './password-rule.ts'
import { Sheet } from './Sheet.tsx'
import layout from '../parts/layout.module.css'
import { useTokenOfLink } from './token-in-address.ts'
import { signInWords } from './words.ts'

/** The page that creates the first Owner, by the token that the start of the service printed. */
export function SetUp() {
  const t = useWords(signInWords)
  const token = useTokenOfLink()
  const view = useQuery(accountApi.get('/sign-in')).data
  return (
    <Sheet title={t('set_up')}>
      {view?.isSetUpOpen === false ? (
        <>
          <Banner tone="off" title={t('set_up_over')}>
            {t('set_up_over_why')}
          </Banner>
          <LinkButton to="/sign-in" search={{}}>
            {t('sign_in')}
          </LinkButton>
        </>
      ) : (
        <SetUpForm key={token} token={token} />
      )}
    </Sheet>
  )
}

function SetUpForm({ token }: { token: string }) {
  const t = useWords(signInWords)
  const enter = useEnter()
  const form = useApiForm({
    values: { setupToken: token, accountName: '', name: '', email: '', password: '' },
    onSubmit: async (json) => {
      await accountApi.call('post', '/setup', json)
      await enter()
    },
  })
  return (
    <Form form={form} act={t('set_up_act')}>
      <p className={layout.quiet}>{t('set_up_why')}</p>
      {token === '' && (
        <TextInput
          label={t('set_up_token')}
          description={t('set_up_token_help')}
          dir="ltr"
          autoComplete="off"
          {...form.field('setupToken')}
        />
      )}
      <TextInput
        label={t('account_name')}
        description={t('account_name_help')}
        autoComplete="organization"
        {...form.field('accountName')}
      />
      <TextInput label={t('name')} autoComplete="name" {...form.field('name')} />
      <TextInput
        label={t('email')}
        type="email"
        dir="ltr"
        autoComplete="username"
        {...form.field('email')}
      />
      <PasswordInput
        label={t('password')}
        description={t('password_rule', passwordRule)}
        dir="ltr"
        autoComplete="new-password"
        {...form.field('password')}
      />
    </Form>
  )
}
