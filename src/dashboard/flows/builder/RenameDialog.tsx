import { Button, TextInput } from '@mantine/core'
import { useApi } from '../../app/resources.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { FormFoot, useApiForm } from '../../parts/form.tsx'
import { Modal } from '../../parts/Modal.tsx'
import { partsWords } from '../../parts/words.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'

export function RenameDialog({ flow, onClose }: { flow: FlowDetail; onClose(): void }) {
  const t = useWords(builderWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const form = useApiForm({
    values: { name: flow.name },
    onSubmit: async (json) => {
      await api.patch('flows/:flowId', { flowId: flow.id }, json)
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('rename')}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <form onSubmit={form.submit} noValidate className={styles.stack}>
        <TextInput
          label={t('name')}
          data-autofocus
          {...form.register('name')}
          error={form.errorOf('name')}
        />
        <FormFoot form={form} act={parts('save')}>
          <Button onClick={onClose}>{parts('cancel')}</Button>
        </FormFoot>
      </form>
    </Modal>
  )
}
