import { Button, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { accountApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { appWords } from '../frame/words.ts'
import { useApiForm } from '../parts/form.tsx'
import { Icon } from '../parts/Icon.tsx'
import { ListTable } from '../parts/ListTable.tsx'
import { Panel } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useZoneName } from '../parts/ZoneSelect.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { settingsWords } from './words-settings.ts'
import { FormDialog } from '../parts/FormDialog.tsx'

/** The list of the account's projects, with a button that creates one. */
export function Projects({ companies }: { companies: readonly CompanyView[] }) {
  const zoneName = useZoneName()
  const t = useWords(settingsWords)
  const app = useWords(appWords)
  const companyId = useCompanyId()
  const [isMaking, setMaking] = useState(false)
  return (
    <Panel
      title={t('projects')}
      end={
        <Button
          size="xs"
          leftSection={<Icon name="plus" size={13} />}
          onClick={() => setMaking(true)}
        >
          {t('new_project')}
        </Button>
      }
    >
      <p className={layout.help}>{t('projects_lead')}</p>
      <ListTable
        label={t('projects')}
        items={companies}
        empty={null}
        columns={[
          {
            head: t('name'),
            cell: ({ id, name, isProject }) => (
              <>
                <Link to="/p/$company" params={{ company: id }}>
                  <bdi>{isProject ? (name ?? app('unnamed')) : app('own_company')}</bdi>
                </Link>{' '}
                {id === companyId && <small>({t('here')})</small>}
              </>
            ),
          },
          { head: t('zone'), cell: ({ timeZone }) => <bdi>{zoneName(timeZone)}</bdi> },
          {
            head: t('created'),
            isFigure: true,
            cell: ({ createdAt }) => <Time at={createdAt} as="dateWithYear" />,
          },
        ]}
      />
      {isMaking && <NewProject onClose={() => setMaking(false)} />}
    </Panel>
  )
}

function NewProject({ onClose }: { onClose(): void }) {
  const t = useWords(settingsWords)
  const navigate = useNavigate()
  const form = useApiForm({
    values: { name: '' },
    onSubmit: async (json) => {
      const made = await accountApi.post('/companies', json)
      toastSuccess(t('made'), {
        label: t('open'),
        run: () => void navigate({ to: '/p/$company', params: { company: made.id } }),
      })
    },
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('new_title')} act={t('make')} onClose={onClose}>
      <TextInput label={t('name')} data-autofocus {...form.field('name')} />
    </FormDialog>
  )
}
