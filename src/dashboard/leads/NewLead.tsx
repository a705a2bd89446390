import { FormDialog } from '../parts/FormDialog.tsx'
import { useApi } from '../app/resources.ts'
import type { LeadView } from '../../contract/dashboard/lead.ts'
import { ContactPicker } from '../parts/ContactPicker.tsx'
import { useApiForm, type ApiForm } from '../parts/form.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import { LeadFields, readValues, valuesOf, type LeadValues } from './LeadFields.tsx'
import { leadsWords } from './words.ts'

type Values = LeadValues & { contactId: string }

/** A form that creates a lead for a contact. A contact with an open lead keeps that one. */
export function NewLead({ onMade, onClose }: { onMade(lead: LeadView): void; onClose(): void }) {
  const t = useWords(leadsWords)
  const api = useApi()
  const form = useApiForm<Values>({
    values: { ...valuesOf(null), contactId: '' },
    onSubmit: async ({ contactId, ...values }) => {
      const { body: lead, isNew } = await api.make('leads', {
        ...(contactId && { contactId }),
        ...readValues(values),
      })
      toastSuccess(t(isNew ? 'made' : 'was_there'))
      onClose()
      onMade(lead)
    },
  })
  return (
    <FormDialog form={form} title={t('make')} act={t('make')} onClose={onClose}>
      <ContactPicker
        label={t('of_whom')}
        error={form.errorOf('contactId')}
        onPick={(contact) => form.setValue('contactId', contact?.id ?? '')}
      />
      <LeadFields form={form as unknown as ApiForm<LeadValues>} />
    </FormDialog>
  )
}
