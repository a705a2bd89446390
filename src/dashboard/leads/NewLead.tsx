import { Button } from '@mantine/core'
import { useApi } from '../app/resources.ts'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { FormFoot, useApiForm, type ApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import { LeadFields, readValues, valuesOf, type LeadValues } from './LeadFields.tsx'
import styles from './leads.module.css'
import { leadsWords } from './words.ts'

type Values = LeadValues & { contactId: string }

/** Of a contact; one that has an open lead already keeps that. */
export function NewLead({ onMade, onClose }: { onMade(lead: LeadView): void; onClose(): void }) {
  const t = useWords(leadsWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const form = useApiForm<Values>({
    values: { ...valuesOf(null), contactId: '' },
    onSubmit: async ({ contactId, ...values }) => {
      const { body: lead, isNew } = await api.make('leads', {
        ...(contactId && { contactId }),
        ...readValues(values),
      })
      sayDone(t(isNew ? 'made' : 'was_there'))
      onClose()
      onMade(lead)
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('make')}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <form onSubmit={form.submit} noValidate className={styles.form}>
        <ContactPicker
          label={t('of_whom')}
          error={form.errorOf('contactId')}
          onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
        />
        <LeadFields form={form as unknown as ApiForm<LeadValues>} />
        <FormFoot form={form} act={t('make')}>
          <Button onClick={onClose}>{parts('cancel')}</Button>
        </FormFoot>
      </form>
    </Modal>
  )
}
