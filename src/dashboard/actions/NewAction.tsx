import { useGo } from '../app/pages.ts'
import { useApi } from '../app/resources.ts'
import { PageHeader } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { ActionForm } from './ActionForm.tsx'
import { actionsWords } from './words.ts'

/** The page with the form that creates an AI action. */
export function NewAction() {
  const t = useWords(actionsWords)
  const api = useApi()
  const go = useGo()
  return (
    <>
      <PageHeader isBelow title={t('new')} lead={t('new_lead')} />
      <ActionForm
        action={null}
        answer={null}
        act={t('create')}
        onSubmit={async (json) => {
          const made = await api.post('actions', json)
          toastSuccess(t('created'))
          await go('actions/$action', { action: made.id })
        }}
      />
    </>
  )
}
