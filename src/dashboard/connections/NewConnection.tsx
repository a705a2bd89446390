import { useNavigate } from '@tanstack/react-router'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { PageHeader } from '../parts/Page.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { readConnectionsAnew } from './queries.ts'
import { connectionsWords } from './words.ts'

export function NewConnection() {
  const t = useWords(connectionsWords)
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
          const made = await ask(
            api.companies[':companyId'].connections.$post({ param: { companyId }, json }),
          )
          sayDone(t('created'))
          await readConnectionsAnew(companyId)
          await navigate({
            to: '/p/$company/connections/$connection',
            params: { company: companyId, connection: made.id },
          })
        }}
      />
    </>
  )
}
