import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useAct } from '../parts/use-act.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './contacts.module.css'
import { contactWords } from './words-contact.ts'

/** Whoever erases types the name: nothing of it comes back. */
export function EraseDialog({ contact, onClose }: { contact: ContactView; onClose(): void }) {
  const t = useWords(contactWords)
  const api = useApi()
  const go = useGo()
  const { isBusy, run } = useAct()
  const [typed, setTyped] = useState('')
  const name = (contact.name ?? contact.phone ?? contact.id).trim()
  const erase = async () => {
    await run(async () => {
      const json = { confirm: true as const }
      await api.call('post', 'contacts/:contactId/erase', { contactId: contact.id }, json)
      sayDone(t('erased'))
      await go('contacts', {})
      await api.changed('contacts')
    })
  }
  return (
    <Confirm
      isOpen
      title={t('erase_title', { name })}
      act={t('erase_act')}
      keep={t('erase_keep')}
      isGrave
      isBusy={isBusy}
      mayAct={typed.trim() === name}
      onAct={() => void erase()}
      onClose={onClose}
    >
      <div className={styles.form}>
        <span>{t('erase_why')}</span>
        {contact.optedOut && <span>{t('erase_stopped')}</span>}
        <TextInput
          label={t('erase_type', { name })}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </Confirm>
  )
}
