import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { newKey } from '../app/new-key.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './broadcasts.module.css'
import { broadcastsWords } from './words.ts'

/** One real message to one contact, part of no count. */
export function TestDialog({ broadcastId, onClose }: { broadcastId: string; onClose(): void }) {
  const t = useWords(broadcastsWords)
  const parts = useWords(partsWords)
  const api = useApi()
  // What is pressed again, since no answer came, is sent once; another contact is another test.
  const [key] = useState(newKey)
  const form = useApiForm<{ contactId: string }>({
    values: { contactId: '' },
    onSubmit: async ({ contactId }) => {
      const json = { contactId, key: `${key}-${contactId}` }
      await api.call('post', 'broadcasts/:broadcastId/test', { broadcastId }, json)
      sayDone(t('test_sent'))
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('test')}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <form onSubmit={form.submit} noValidate className={styles.form}>
        <p className={styles.help}>{t('test_why')}</p>
        <ContactPicker
          label={t('test_to')}
          error={form.errorOf('contactId')}
          onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
        />
        <FormFoot form={form} act={t('test_act')}>
          <Button onClick={onClose}>{t('test_keep')}</Button>
        </FormFoot>
      </form>
    </Modal>
  )
}
