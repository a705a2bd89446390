import { Stack, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { accountApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { companiesQuery, useMay, useSession } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { Form, FormFoot, useApiForm } from '../parts/form.tsx'
import { PageHeader, Panel } from '../parts/Page.tsx'
import { ZoneSelect } from '../parts/ZoneSelect.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { OpeningHours } from './OpeningHours.tsx'
import { Projects } from './Projects.tsx'
import { settingsWords } from './words-settings.ts'

/** The settings page: name, time zone and opening hours of the open company, the account's name, and all projects. */
export function Settings() {
  const t = useWords(settingsWords)
  const companyId = useCompanyId()
  const companies = useSuspenseQuery(companiesQuery).data
  const company = companies.find(({ id }) => id === companyId)!
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={styles.columns}>
        <div className={layout.stack}>
          <ProjectForm key={company.id} company={company} />
          <OpeningHours key={`hours-${company.id}`} company={company} />
        </div>
        <div className={layout.stack}>
          <AccountForm />
          <Projects companies={companies} />
        </div>
      </div>
    </>
  )
}

function AccountForm() {
  const t = useWords(settingsWords)
  const { account } = useSession()
  const { own } = useMay()
  const form = useApiForm({
    values: { name: account.name ?? '' },
    version: account.name ?? '',
    onSubmit: (json) => accountApi.patch('/account', json),
    done: t('saved'),
  })
  return (
    <Panel title={t('account')}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <TextInput
            label={t('account_name')}
            description={t(own ? 'account_name_help' : 'only_owner')}
            disabled={!own}
            {...form.field('name')}
          />
          {own && <FormFoot form={form} />}
        </Stack>
      </form>
    </Panel>
  )
}

function ProjectForm({ company }: { company: CompanyView }) {
  const t = useWords(settingsWords)
  const values = { name: company.name ?? '', timeZone: company.timeZone }
  const form = useApiForm({
    values,
    version: JSON.stringify(values),
    onSubmit: async (typed) => {
      const json = diffValues(values, typed)
      await accountApi.patch('/companies/:companyId', { companyId: company.id }, json)
    },
    done: t('saved'),
  })
  return (
    <Panel title={t('project')}>
      <Form form={form}>
        {!company.isProject && <p className={layout.help}>{t('own')}</p>}
        <TextInput label={t('name')} description={t('name_help')} {...form.field('name')} />
        <ZoneSelect label={t('zone')} description={t('zone_help')} {...form.pick('timeZone')} />
      </Form>
    </Panel>
  )
}
