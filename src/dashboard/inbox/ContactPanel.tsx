import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { languageWords } from '../../core/words/language-words.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { now } from '../words/now.ts'
import { useMay } from '../app/session.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { channelIcon } from '../parts/channel-icon.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Details, ReadState } from '../parts/Page.tsx'
import { Phone } from '../parts/Phone.tsx'
import { Pill } from '../parts/Pill.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useFormat } from '../words/format.ts'
import { useNamed } from '../words/use-named.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import {
  customerAppointmentsQuery,
  customerFieldsQuery,
  customerRunsQuery,
  customerConversationsQuery,
} from './inbox-queries.ts'
import layout from '../parts/layout.module.css'
import styles from './panel.module.css'
import { customerWords } from './words-customer.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { RunPill } from '../runs/RunPill.tsx'

/** The right column of the inbox: the customer's data, runs, appointments and other conversations. */
export function ContactPanel({
  conversation,
  onClose,
}: {
  conversation: ConversationDetail
  onClose(): void
}) {
  const t = useWords(customerWords)
  const { contact } = conversation
  return (
    <aside className={styles.panel} aria-label={t('customer')}>
      <div className={styles.head}>
        <h3 className={styles.title}>{t('customer')}</h3>
        {contact && (
          <PageLink to="contacts" search={{ q: contact.id }} className={styles.link}>
            {t('open')}
          </PageLink>
        )}
        <IconButton
          icon="close"
          iconSize={20}
          label={t('close')}
          className={styles.close}
          size={44}
          onClick={onClose}
        />
      </div>
      {contact ? (
        <Known contactId={contact.id} conversationId={conversation.id} />
      ) : (
        <Visitor key={conversation.id} conversation={conversation} />
      )}
    </aside>
  )
}

/** A visitor is no contact: their name and e-mail address belong to the conversation. */
function Visitor({
  conversation: { id, visitorName, visitorEmail, hints },
}: {
  conversation: Pick<ConversationDetail, 'id' | 'visitorName' | 'visitorEmail' | 'hints'>
}) {
  const t = useWords(customerWords)
  const { setUp } = useMay()
  const isAnonymous = visitorName === null && visitorEmail === null
  return (
    <>
      <p className={layout.small}>{t(isAnonymous ? 'anonymous' : 'visitor_said')}</p>
      {visitorName !== null && (
        <p>
          <bdi>{visitorName}</bdi>
        </p>
      )}
      {visitorEmail !== null && (
        <p>
          <Ltr>{visitorEmail}</Ltr>
        </p>
      )}
      {hints.map((hint) => (
        <p key={`${hint.by} ${hint.id}`}>
          {t(`contact_has_${hint.by}`)} <Ltr>{hint.value}</Ltr>{' '}
          <PageLink
            to="contacts"
            search={{ q: hint.id }}
            className={styles.link}
            named={hint.name ?? t('open')}
          />
        </p>
      ))}
      {setUp && <EraseVisitor conversationId={id} />}
    </>
  )
}

function Known({ contactId, conversationId }: { contactId: string; conversationId: string }) {
  const api = useApi()
  const { setUp } = useMay()
  const read = useQuery(api.get('contacts/:contactId', { contactId }))
  useLiveQuery('conversation', api.key('contacts/:contactId', { contactId }))
  const { data } = read
  if (!data) return <ReadState of={read} rows={4} />
  return (
    <>
      <Facts contact={data} />
      <Tags contact={data} />
      {setUp && data.phone !== null && <Runs phone={data.phone} />}
      <Appointments contactId={contactId} />
      <Elsewhere contactId={contactId} conversationId={conversationId} />
    </>
  )
}

function Facts({ contact }: { contact: ContactView }) {
  const t = useWords(customerWords)
  const nameOfLanguage = useWords(languageWords)
  const api = useApi()
  const { data: fields } = useQuery(customerFieldsQuery(api))
  const phone = contact.phone ?? contact.rawPhone
  const rows: (readonly [ReactNode, ReactNode])[] = []
  if (phone !== null) rows.push([t('phone'), <Phone key="phone" phone={phone} />])
  // Only customers of WhatsApp are expected to have a phone number; other channels never show it.
  else if (contact.whatsAppId !== null) rows.push([t('phone'), t('withheld')])
  if (contact.language !== null) {
    const known = LANGUAGES.find((language) => language === contact.language)
    rows.push([t('language'), known ? nameOfLanguage(known) : contact.language])
  }
  if (contact.email !== null) rows.push([t('email'), <Ltr key="email">{contact.email}</Ltr>])
  for (const { key, label } of fields?.items ?? []) {
    const value = contact.fields[key]
    if (value !== undefined)
      rows.push([<bdi key="name">{label}</bdi>, <bdi key="value">{value}</bdi>])
  }
  rows.push([
    t('messages'),
    <span key="messages" className={styles.line}>
      {contact.optedOut ? (
        <Pill tone="bad" icon="hand">
          {t('stopped')}
        </Pill>
      ) : (
        <>
          <Icon name="ok" size={14} className={styles.ok} /> {t('accepts')}
        </>
      )}
    </span>,
  ])
  return <Details items={rows} />
}

function Tags({ contact }: { contact: ContactView }) {
  const t = useWords(customerWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [added, setAdded] = useState<string | null>(null)
  const edit = async (json: { addTags?: string[]; removeTags?: string[] }) => {
    await run(async () => {
      await api.patch('contacts/:contactId', { contactId: contact.id }, json)
      setAdded(null)
    })
  }
  return (
    <div className={styles.tags} role="group" aria-label={t('tags')}>
      {contact.tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          <bdi>{tag}</bdi>
          <button
            type="button"
            className={styles.tagOff}
            aria-label={t('remove_tag', { tag })}
            disabled={isBusy}
            onClick={() => void edit({ removeTags: [tag] })}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {added === null ? (
        <button type="button" className={styles.tagAdd} onClick={() => setAdded('')}>
          {t('add_tag')}
        </button>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (added.trim() !== '') void edit({ addTags: [added.trim()] })
          }}
        >
          <input
            autoFocus
            className={styles.tagInput}
            aria-label={t('new_tag')}
            dir="auto"
            maxLength={CONTACT_LIMITS.tagChars}
            value={added}
            onChange={(event) => setAdded(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setAdded(null)
            }}
          />
        </form>
      )}
    </div>
  )
}

function Runs({ phone }: { phone: string }) {
  const t = useWords(customerWords)
  const api = useApi()
  const read = useQuery(customerRunsQuery(api, phone))
  useLiveQuery('message', customerRunsQuery(api, phone).queryKey)
  const { data } = read
  if (!data) return <ReadState of={read} rows={1} />
  if (data.items.length === 0) return null
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{t('runs')}</h3>
      {data.items.map(({ id, status, flow }) => (
        <div key={id} className={styles.line}>
          <RunPill status={status} />
          <PageLink to="runs/$run" params={{ run: id }} className={styles.cut} named={flow.name} />
        </div>
      ))}
    </section>
  )
}

function Appointments({ contactId }: { contactId: string }) {
  const t = useWords(customerWords)
  const format = useFormat()
  const named = useNamed()
  const api = useApi()
  const [from] = useState(() => now().toISOString())
  const read = useQuery(customerAppointmentsQuery(api, contactId, from))
  const { data } = read
  if (!data) return <ReadState of={read} rows={1} />
  if (data.items.length === 0) return null
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{t('appointments')}</h3>
      {data.items.map(({ id, serviceName, serviceNameAr, startsAt, reference }) => (
        <div key={id} className={styles.appointment}>
          <strong>
            <bdi>{named({ name: serviceName, nameAr: serviceNameAr })}</bdi>
          </strong>
          <div className={layout.small}>
            {t('appointment_line', { time: format.dateTime(startsAt), reference })}
          </div>
        </div>
      ))}
    </section>
  )
}

function Elsewhere({ contactId, conversationId }: { contactId: string; conversationId: string }) {
  const t = useWords(customerWords)
  const format = useFormat()
  const channelName = useChannelName()
  const api = useApi()
  const read = useQuery(customerConversationsQuery(api, contactId))
  if (!read.data) return <ReadState of={read} rows={1} />
  const others = read.data.filter(({ id }) => id !== conversationId)
  if (others.length === 0) return null
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{t('elsewhere')}</h3>
      {others.map(({ id, at, channelType }) => (
        <PageLink
          key={id}
          to="inbox/$conversation"
          params={{ conversation: id }}
          className={styles.other}
        >
          <Icon name={channelIcon(channelType)} size={14} />
          {t('begun', { channel: channelName(channelType), date: format.dateWithYear(at) })}
        </PageLink>
      ))}
    </section>
  )
}

/** A button that erases the data of a website visitor permanently, after a confirmation. */
function EraseVisitor({ conversationId }: { conversationId: string }) {
  const t = useWords(customerWords)
  const api = useApi()
  return (
    <ConfirmButton
      label={t('erase_visitor')}
      button={{ variant: 'default', leftSection: <Icon name="trash" size={16} /> }}
      title={t('erase_visitor_title')}
      isGrave
      send={() =>
        api.post(
          'conversations/:conversationId/erase-visitor',
          { conversationId },
          { confirm: true },
        )
      }
      done={t('visitor_erased')}
    >
      {t('erase_visitor_why')}
    </ConfirmButton>
  )
}
