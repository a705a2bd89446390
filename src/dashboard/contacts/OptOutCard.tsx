import { Button, Textarea } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../parts/FormDialog.tsx'
import type { ContactView, OptOutView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { useApi } from '../app/resources.ts'
import { Confirm } from '../parts/Dialogs.tsx'
import { useApiForm } from '../parts/form.tsx'
import { Failed, Panel } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { useContactName } from '../parts/use-contact-name.ts'
import { useWords } from '../words/use-words.tsx'
import { MessagesState } from './columns.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { contactWords } from './words-contact.ts'

/** The opt-out state of a contact, a button that changes it, and the history of its changes. */
export function OptOutCard({ contact }: { contact: ContactView }) {
  const t = useWords(contactWords)
  const nameOf = useContactName()
  const format = useFormat()
  const api = useApi()
  const [asked, setAsked] = useState<'out' | 'in' | null>(null)
  return (
    <Panel title={t('messages')} end={<MessagesState isStopped={contact.optedOut} />}>
      {contact.optedOutAt !== null && (
        <p className={layout.quiet}>
          {t('stopped_since', { time: format.dateTime(contact.optedOutAt) })}
        </p>
      )}
      <p className={layout.quiet}>{t(contact.optedOut ? 'stopped_lead' : 'accepts_lead')}</p>
      <Button mt="md" onClick={() => setAsked(contact.optedOut ? 'in' : 'out')}>
        {t(contact.optedOut ? 'opt_in' : 'stop')}
      </Button>
      <History contactId={contact.id} />
      <Confirm
        isOpen={asked === 'out'}
        title={t('stop_title', { name: nameOf(contact) })}
        act={t('stop')}
        keep={t('stop_keep')}
        send={() => api.post('contacts/:contactId/opt-out', { contactId: contact.id })}
        done={t('stopped_done')}
        onClose={() => setAsked(null)}
      >
        {t('stop_why')}
      </Confirm>
      {asked === 'in' && <OptIn contactId={contact.id} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

function OptIn({ contactId, onClose }: { contactId: string; onClose(): void }) {
  const t = useWords(contactWords)
  const api = useApi()
  const form = useApiForm<{ reason: string }>({
    values: { reason: '' },
    onSubmit: (json) => api.post('contacts/:contactId/opt-in', { contactId }, json),
    done: t('opt_in_done'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t('opt_in_title')}
      act={t('opt_in')}
      keep={t('opt_in_keep')}
      onClose={onClose}
    >
      <Textarea
        label={t('opt_in_reason')}
        placeholder={t('opt_in_why')}
        maxLength={CONTACT_LIMITS.reasonChars}
        rows={3}
        data-autofocus
        {...form.field('reason')}
      />
    </FormDialog>
  )
}

function History({ contactId }: { contactId: string }) {
  const t = useWords(contactWords)
  const api = useApi()
  const list = useInfiniteQuery(
    api.list('contacts/:contactId/opt-outs', { contactId, limit: '10' }),
  )
  if (list.isError) return <Failed error={list.error} onRetry={() => void list.refetch()} />
  const items = list.data?.items ?? []
  if (list.isPending || items.length === 0) return null
  return (
    <>
      <h3 className={styles.small}>{t('history')}</h3>
      <ul className={layout.plainList}>
        {items.map((item) => (
          <HistoryRow key={item.id} item={item} />
        ))}
      </ul>
      <ShowMore list={list} size="xs" mt="sm" />
    </>
  )
}

function HistoryRow({ item }: { item: OptOutView }) {
  const t = useWords(contactWords)
  const { optedOut, how, person, reason, at } = item
  return (
    <li className={styles.row}>
      <span>{t(optedOut ? 'opted_out' : 'opted_in')}</span>
      <span className={layout.muted}>
        <Time at={at} />
      </span>
      <span className={styles.whole}>
        {person?.name == null ? t(`how_${how}`) : t('by_person', { name: person.name })}{' '}
        {reason !== null && t('reason', { reason })}
      </span>
    </li>
  )
}
