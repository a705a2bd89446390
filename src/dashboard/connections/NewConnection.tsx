import { useGo } from '../app/pages.ts'
import { useApi } from '../app/resources.ts'
import { PageHeader } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { ConnectionForm } from './ConnectionForm.tsx'
import { connectionsWords } from './words.ts'

/** The page with the form that creates an API connection. */
export function NewConnection() {
  const t = useWords(connectionsWords)
  const api = useApi()
  const go = useGo()
  return (
    <>
      <PageHeader isBelow title={t('new')} lead={t('new_lead')} />
      <ConnectionForm
        connection={null}
        act={t('create')}
        onSubmit={async (json) => {
          const made = await api.post('connections', json)
          toastSuccess(t('created'))
          await go('connections/$connection', { connection: made.id })
        }}
      />
    </>
  )
}
