import { useGo } from '../../app/pages.ts'
import { accountApi } from '../../app/resources.ts'
import { PageHeader } from '../../parts/Page.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { useWords } from '../../words/use-words.tsx'
import { ModelForm } from './ModelForm.tsx'
import { modelsWords } from './words.ts'

/** The page with the form that adds a language model. */
export function NewModel() {
  const t = useWords(modelsWords)
  const go = useGo()
  return (
    <>
      <PageHeader isBelow title={t('new')} lead={t('new_lead')} />
      <ModelForm
        model={null}
        act={t('create')}
        onSubmit={async (json) => {
          await accountApi.post('/models', json)
          toastSuccess(t('created'))
          await go('assistant/models', {})
        }}
      />
    </>
  )
}
