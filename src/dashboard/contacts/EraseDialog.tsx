import { useGo } from '../app/pages.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { useWords } from '../words/use-words.tsx'
import { contactWords } from './words-contact.ts'

/** A dialog that erases a contact permanently, after the member has typed its name. */
export function EraseDialog({ contact, onClose }: { contact: ContactView; onClose(): void }) {
  const t = useWords(contactWords)
  const api = useApi()
  const go = useGo()
  const name = (contact.name ?? contact.phone ?? contact.id).trim()
  return (
    <Confirm
      title={t('erase_title', { name })}
      act={t('erase_act')}
      keep={t('erase_keep')}
      isGrave
      typed={{ label: t('erase_type', { name }), name }}
      send={async () => {
        const json = { confirm: true as const }
        await api.call('post', 'contacts/:contactId/erase', { contactId: contact.id }, json)
        await go('contacts', {})
        void api.changed('contacts')
      }}
      done={t('erased')}
      onClose={onClose}
    >
      <p>{t('erase_why')}</p>
      {contact.optedOut && <p>{t('erase_stopped')}</p>}
    </Confirm>
  )
}
