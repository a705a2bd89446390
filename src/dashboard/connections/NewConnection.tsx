import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { PageHeader } from '../parts/Page.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { connectionsWords } from './words.ts'

export function NewConnection() {
  const t = useWords(connectionsWords)
  const api = useApi()
  const companyId = useCompanyId()
  const navigate = useNavigate()
  return (
    <>
      <Crumbs items={[t('new')]} />
      <PageHeader title={t('new')} lead={t('new_lead')} />
      <ConnectionForm
        connection={null}
        act={t('create')}
        onSubmit={async (json) => {
          const made = await api.post('connections', json)
          sayDone(t('created'))
          await navigate({
            to: '/p/$company/connections/$connection',
            params: { company: companyId, connection: made.id },
          })
        }}
      />
    </>
  )
}
