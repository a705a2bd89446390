import { TextInput } from '@mantine/core'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useApi } from '../../app/resources.ts'
import type { FlowDetail } from '../../../contract/dashboard/flow.ts'
import { useApiForm } from '../../parts/form.tsx'
import { partsWords } from '../../parts/words.ts'
import { useWords } from '../../words/use-words.tsx'
import { builderWords } from '../words-builder.ts'

/** A dialog that renames a flow. */
export function RenameDialog({ flow, onClose }: { flow: FlowDetail; onClose(): void }) {
  const t = useWords(builderWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const form = useApiForm({
    values: { name: flow.name },
    onSubmit: (json) => api.patch('flows/:flowId', { flowId: flow.id }, json),
    onDone: onClose,
  })
  return (
    <FormDialog form={form} title={t('rename')} act={parts('save')} onClose={onClose}>
      <TextInput label={t('name')} data-autofocus {...form.field('name')} />
    </FormDialog>
  )
}
