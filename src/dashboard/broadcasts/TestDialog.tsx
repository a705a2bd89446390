import { useState } from 'react'
import { FormDialog } from '../parts/FormDialog.tsx'
import { useApi } from '../app/resources.ts'
import { newKey } from '../app/new-key.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { useApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { broadcastsWords } from './words.ts'

/** A dialog that sends one real message to one contact, which is not counted. */
export function TestDialog({ broadcastId, onClose }: { broadcastId: string; onClose(): void }) {
  const t = useWords(broadcastsWords)
  const api = useApi()
  // The idempotency key of one test; a retry without a response sends once. Another contact is another test.
  const [key] = useState(newKey)
  const form = useApiForm<{ contactId: string }>({
    values: { contactId: '' },
    onSubmit: async ({ contactId }) => {
      const json = { contactId, key: `${key}-${contactId}` }
      await api.call('post', 'broadcasts/:broadcastId/test', { broadcastId }, json)
    },
    done: t('test_sent'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('test')}
      act={t('test_act')}
      keep={t('test_keep')}
      onClose={onClose}
    >
      <p className={layout.quiet}>{t('test_why')}</p>
      <ContactPicker
        label={t('test_to')}
        error={form.errorOf('contactId')}
        onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
      />
    </FormDialog>
  )
}
