import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import { useApi } from '../app/resources.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { useWords } from '../words/use-words.tsx'
import { emptyDraft } from './draft.ts'
import styles from './flows.module.css'
import { flowsWords } from './words.ts'

/** A dialog that creates a flow and opens it at its trigger. */
export function NewFlowDialog({ onClose }: { onClose(): void }) {
  const t = useWords(flowsWords)
  const api = useApi()
  const cache = useQueryClient()
  const go = useGo()
  const form = useApiForm({
    values: { name: '' },
    onSubmit: async ({ name }) => {
      const channels = await cache.fetchQuery(api.every('channels'))
      const json = { name, draft: emptyDraft(channels[0]?.id ?? '') }
      const { id } = await api.post('flows', json)
      await go('flows/$flowId', { flowId: id }, { step: 'trigger' })
    },
  })
  return (
    <Modal opened onClose={onClose} title={t('new_flow')}>
      <form onSubmit={form.submit} noValidate className={styles.stack}>
        <TextInput
          label={t('name')}
          description={t('creating_help')}
          data-autofocus
          {...form.field('name')}
        />
        <FormFoot form={form} act={t('create')} />
      </form>
    </Modal>
  )
}
