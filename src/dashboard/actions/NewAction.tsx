import { useNavigate } from '@tanstack/react-router'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import { Crumbs } from '../parts/Crumbs.tsx'
import { PageHeader } from '../parts/Page.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { ActionForm } from './ActionForm.tsx'
import { readActionsAnew } from './queries.ts'
import { actionsWords } from './words.ts'

export function NewAction() {
  const t = useWords(actionsWords)
  const companyId = useCompanyId()
  const navigate = useNavigate()
  return (
    <>
      <Crumbs items={[t('new')]} />
      <PageHeader title={t('new')} lead={t('new_lead')} />
      <ActionForm
        action={null}
        answer={null}
        act={t('create')}
        onSubmit={async (json) => {
          const made = await ask(
            api.companies[':companyId'].actions.$post({ param: { companyId }, json }),
          )
          sayDone(t('created'))
          await readActionsAnew(companyId)
          await navigate({
            to: '/p/$company/actions/$action',
            params: { company: companyId, action: made.id },
          })
        }}
      />
    </>
  )
}
