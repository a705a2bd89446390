import { PasswordInput, Select, TextInput } from '@mantine/core'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import type { Digits, TimeShown } from '../../core/vocabulary/accounts.ts'
import { accountApi } from '../app/resources.ts'
import { queries } from '../app/queries.ts'
import { sessionQuery, useSession } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { Form, useApiForm } from '../parts/form.tsx'
import { PageHeader, Panel } from '../parts/Page.tsx'
import { changeManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'
import { profileWords } from './words-profile.ts'

const AS_BROWSER = 'browser'
const LANGUAGES = [AS_BROWSER, 'en', 'ar'] as const

type Values = {
  name: string
  language: (typeof LANGUAGES)[number]
  digits: Digits
  timeShown: TimeShown
}

/** The page of the signed-in person's own name, language, password, two-factor authentication and sessions. */
export function Profile() {
  const t = useWords(profileWords)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={styles.columns}>
        <div className={layout.stack}>
          <PersonForm />
          <PasswordForm />
        </div>
        <div className={layout.stack}>
          <SecondFactor />
          <Sessions />
        </div>
      </div>
    </>
  )
}

function PersonForm() {
  const t = useWords(profileWords)
  const { person } = useSession()
  const values: Values = {
    name: person.name ?? '',
    language: person.language ?? AS_BROWSER,
    digits: person.digits,
    timeShown: person.timeShown,
  }
  const form = useApiForm<Values>({
    values,
    version: JSON.stringify(values),
    onSubmit: async (sent) => {
      const { language, ...changed } = diffValues(values, sent)
      const json = {
        ...changed,
        ...(language !== undefined && { language: language === AS_BROWSER ? null : language }),
      }
      const me = await accountApi.patch('/me', json)
      queries.setQueryData(
        sessionQuery.queryKey,
        (session) => session && { ...session, person: me },
      )
      changeManner(me)
    },
    done: t('saved'),
  })
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const names = { browser: t('as_browser'), en: t('english'), ar: t('arabic') }
  return (
    <Panel title={t('you')}>
      <Form form={form}>
        <TextInput label={t('email')} value={person.email} dir="ltr" disabled readOnly />
        <TextInput label={t('name')} autoComplete="name" {...form.field('name')} />
        <Select
          label={t('language')}
          description={t('language_help')}
          allowDeselect={false}
          data={LANGUAGES.map((value) => ({ value, label: names[value] }))}
          {...form.pick('language')}
        />
        <Select
          label={t('digits')}
          description={t('digits_help')}
          allowDeselect={false}
          data={[
            { value: 'latin', label: t('latin_digits') },
            { value: 'arabic', label: t('arabic_digits') },
          ]}
          {...form.pick('digits')}
        />
        <Select
          label={t('times')}
          description={t('times_help')}
          allowDeselect={false}
          data={[
            { value: 'local', label: t('local_times', { zone }) },
            { value: 'utc', label: t('utc_times') },
          ]}
          {...form.pick('timeShown')}
        />
      </Form>
    </Panel>
  )
}

function PasswordForm() {
  const t = useWords(profileWords)
  const { isDemonstration, person } = useSession()
  const form = useApiForm({
    values: { currentPassword: '', newPassword: '' },
    onSubmit: async (json) => {
      await accountApi.call('post', '/session/password', json)
      await accountApi.changed('/sessions')
      form.reset()
    },
    done: t('password_changed'),
  })
  return (
    <Panel title={t('password')}>
      {isDemonstration ? (
        <p className={layout.help}>{t('no_password')}</p>
      ) : (
        <Form form={form} act={t('change_password')}>
          <input
            type="text"
            hidden
            autoComplete="username"
            value={person.email}
            readOnly
            aria-hidden
          />
          <PasswordInput
            label={t('current_password')}
            dir="ltr"
            autoComplete="current-password"
            {...form.field('currentPassword')}
          />
          <PasswordInput
            label={t('new_password')}
            description={t('password_rule', { n: SIGN_IN_LIMITS.minPasswordChars })}
            dir="ltr"
            autoComplete="new-password"
            {...form.field('newPassword')}
          />
        </Form>
      )}
    </Panel>
  )
}
