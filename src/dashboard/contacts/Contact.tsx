import { Button, Menu } from '@mantine/core'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { queries } from '../app/queries.ts'
import { useMay } from '../app/session.ts'
import { IdChip } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Details, PageHeader, Panel } from '../parts/Page.tsx'
import { Tags } from '../parts/Tags.tsx'
import { Time } from '../parts/Time.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useFormat } from '../words/format.ts'
import { useContactName } from '../parts/use-contact-name.ts'
import { useWords } from '../words/use-words.tsx'
import { languageName, MessagesState, PhoneOf } from './columns.tsx'
import { ContactForm } from './ContactForm.tsx'
import layout from '../parts/layout.module.css'
import { AppointmentsPanel, ConversationsPanel, LeadsPanel, RunsPanel } from './ContactPanels.tsx'
import { ContactTimeline } from './ContactTimeline.tsx'
import { IdentitiesCard } from './IdentitiesCard.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { OptOutCard } from './OptOutCard.tsx'
import { contactsWords } from './words.ts'
import { contactWords } from './words-contact.ts'
import { writeWords } from './words-write.ts'
import { useGo } from '../app/pages.ts'
import { Confirm } from '../parts/Dialogs.tsx'

const WriteFirst = lazy(() =>
  import('./WriteFirst.tsx').then(({ WriteFirst: it }) => ({ default: it })),
)

/** The page of one contact: its data and timeline, and dialogs to edit, merge, erase or write to it. */
export function Contact() {
  const t = useWords(contactWords)
  const write = useWords(writeWords)
  const nameOf = useContactName()
  const format = useFormat()
  const api = useApi()
  const { setUp } = useMay()
  const { contact: contactId } = useParams({ from: '/p/$company/contacts/$contact' })
  const { data: contact } = useSuspenseQuery(api.get('contacts/:contactId', { contactId }))
  // The stream has no events for contacts. Events of their conversations may mean that the contact has changed.
  useLiveQuery('conversation', api.key('contacts/:contactId', { contactId }))
  const [dialog, setDialog] = useState<'edit' | 'merge' | 'erase' | 'write' | null>(null)
  /** The contact to merge with, where both share a number. */
  const [other, setOther] = useState<ContactView | null>(null)
  const close = () => {
    setDialog(null)
    setOther(null)
  }
  const { run } = useApiMutation()
  const mergeWith = (otherId: string) =>
    run(async () => {
      setOther(await queries.fetchQuery(api.get('contacts/:contactId', { contactId: otherId })))
      setDialog('merge')
    })
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{nameOf(contact)}</bdi>}
        pill={contact.optedOut ? <MessagesState isStopped /> : null}
        lead={t('since', {
          time: format.dateTime(contact.createdAt),
          source: t(`by_${contact.source}`),
        })}
        acts={
          <>
            {setUp && <MoreActs onAct={setDialog} />}
            <Button leftSection={<Icon name="send" />} onClick={() => setDialog('write')}>
              {write('write')}
            </Button>
            <Button
              variant="filled"
              leftSection={<Icon name="edit" />}
              onClick={() => setDialog('edit')}
            >
              {t('edit')}
            </Button>
          </>
        }
      />
      <div className={layout.columns}>
        <div className={layout.stack}>
          <ConversationsPanel contactId={contact.id} />
          {setUp && contact.phone !== null && <RunsPanel phone={contact.phone} />}
          <LeadsPanel contactId={contact.id} />
          <AppointmentsPanel contactId={contact.id} />
          <ContactTimeline contactId={contact.id} />
        </div>
        <div className={layout.stack}>
          <Facts contact={contact} />
          <IdentitiesCard contactId={contact.id} />
          <OptOutCard contact={contact} />
        </div>
      </div>
      {dialog === 'edit' && (
        <ContactForm
          contact={contact}
          onMerge={setUp ? (otherId) => void mergeWith(otherId) : undefined}
          onClose={close}
        />
      )}
      {dialog === 'merge' && <MergeDialog contact={contact} other={other} onClose={close} />}
      {dialog === 'write' && (
        <Suspense fallback={null}>
          <WriteFirst contact={contact} onClose={close} />
        </Suspense>
      )}
      {dialog === 'erase' && <EraseDialog contact={contact} onClose={close} />}
    </>
  )
}

function Facts({ contact }: { contact: ContactView }) {
  const t = useWords(contactWords)
  const list = useWords(contactsWords)
  const { data: fields = [] } = useQuery(useApi().items('contact-fields'))
  const { email, language, tags, whatsAppId, phone, rawPhone } = contact
  const shown = fields.filter(({ isArchived, key }) => !isArchived && key in contact.fields)
  return (
    <Panel title={t('details')}>
      <Details
        items={[
          [
            list('phone'),
            <div key="phone">
              <PhoneOf contact={contact} />
              {phone === null && rawPhone !== null && (
                <div className={layout.muted}>{t('raw_phone_why')}</div>
              )}
            </div>,
          ],
          [list('email'), email === null ? t('none') : <bdi key="email">{email}</bdi>],
          [list('language'), languageName(list, language)],
          [list('tags'), tags.length === 0 ? t('none') : <Tags key="tags" tags={tags} />],
          ...shown.map(({ key, label, kind }) => {
            const value = contact.fields[key]!
            const isFlag = kind === 'yes_no' && (value === 'yes' || value === 'no')
            return [
              <bdi key="label">{label}</bdi>,
              <bdi key="value">{isFlag ? list(value) : value}</bdi>,
            ] as const
          }),
          ...(whatsAppId === null
            ? []
            : [[t('whatsapp_id'), <IdChip key="id" id={whatsAppId} />] as const]),
          [t('contact_id'), <IdChip key="id" id={contact.id} />],
          [t('changed'), <Time key="at" at={contact.updatedAt} />],
        ]}
      />
    </Panel>
  )
}

/** A dialog that erases a contact permanently, after the member has typed its name. */
function EraseDialog({ contact, onClose }: { contact: ContactView; onClose(): void }) {
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

function MoreActs({ onAct }: { onAct(act: 'merge' | 'erase'): void }) {
  const t = useWords(contactWords)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button aria-label={t('more')}>
          <Icon name="more" />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onAct('merge')}>{t('merge')}</Menu.Item>
        <Menu.Item leftSection={<Icon name="trash" />} onClick={() => onAct('erase')}>
          {t('erase')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
