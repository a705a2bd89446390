import { Button, Menu, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactView, ListedContact } from '../../contract/dashboard/contact.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import { useApi } from '../app/resources.ts'
import { channelIcon } from '../parts/channel-icon.ts'
import { Icon } from '../parts/Icon.tsx'
import type { Column } from '../parts/ListTable.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Phone } from '../parts/Phone.tsx'
import { Pill } from '../parts/Pill.tsx'
import { Tags } from '../parts/Tags.tsx'
import { Time } from '../parts/Time.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { contactsWords } from './words.ts'

const HIDDEN = 'wasla.contacts.hidden'
const HIDDEN_AT_FIRST = ['email', 'source', 'added']
const TAGS_SHOWN = 3

type Named = Column<ListedContact> & { key: string; head: string }

/** Returns the columns of the list of contacts; the browser stores which ones are shown. */
export function useShownColumns() {
  const all = useColumns()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(readHidden)
  const toggle = (key: string) => {
    const next = new Set(hidden)
    if (!next.delete(key)) next.add(key)
    localStorage.setItem(HIDDEN, JSON.stringify([...next]))
    setHidden(next)
  }
  const columns = all.filter(({ key }) => {
    // A custom field is hidden until the member chooses it: fifty columns would not fit.
    return key.startsWith('fields.') ? hidden.has(key) : !hidden.has(key)
  })
  return { all: all.slice(1), columns, hidden, toggle }
}

function readHidden(): ReadonlySet<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(HIDDEN) ?? 'null')
    return new Set(Array.isArray(kept) ? kept.map(String) : HIDDEN_AT_FIRST)
  } catch {
    return new Set(HIDDEN_AT_FIRST)
  }
}

function useColumns(): Named[] {
  const t = useWords(contactsWords)
  const { data: fields = [] } = useQuery(useApi().items('contact-fields'))
  return [
    { key: 'name', head: t('name'), cell: (contact) => <PersonLink contact={contact} /> },
    {
      key: 'phone',
      head: t('phone'),
      phone: 'quiet',
      cell: (contact) => <PhoneOf contact={contact} />,
    },
    {
      key: 'channels',
      head: t('channels'),
      phone: 'hidden',
      cell: ({ channels }) => <Channels types={channels} />,
    },
    { key: 'email', head: t('email'), cell: ({ email }) => <bdi>{email}</bdi> },
    { key: 'tags', head: t('tags'), cell: ({ tags }) => <Tags tags={tags} max={TAGS_SHOWN} /> },
    {
      key: 'language',
      head: t('language'),
      phone: 'hidden',
      cell: ({ language }) => <span className={layout.muted}>{languageName(t, language)}</span>,
    },
    {
      key: 'messages',
      head: t('messages'),
      phone: 'quiet',
      cell: ({ optedOut }) => <MessagesState isStopped={optedOut} />,
    },
    { key: 'source', head: t('source'), cell: ({ source }) => t(`source_${source}`) },
    ...fields
      .filter(({ isArchived }) => !isArchived)
      .map(({ key, label, kind }) => ({
        key: `fields.${key}`,
        head: label,
        cell: ({ fields: values }: ContactView) => {
          const value = values[key] ?? ''
          return kind === 'yes_no' && value !== '' ? (
            t(value === 'yes' ? 'yes' : 'no')
          ) : (
            <bdi>{value}</bdi>
          )
        },
      })),
    {
      key: 'added',
      phone: 'gone',
      head: t('added'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="near" />,
    },
    {
      key: 'seen',
      head: t('last_seen'),
      phone: 'end',
      isFigure: true,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? (
          <span className={layout.muted}>{t('never_wrote')}</span>
        ) : (
          <Time at={lastSeenAt} as="near" />
        ),
    },
  ]
}

/** The icons of the channels on which a contact has written. */
export function Channels({ types }: { types: readonly ChannelType[] }) {
  const nameOf = useChannelName()
  return (
    <span className={styles.channels}>
      {types.map((type) => (
        <Icon key={type} name={channelIcon(type)} label={nameOf(type)} />
      ))}
    </span>
  )
}

type SayContacts = ReturnType<typeof useWords<(typeof contactsWords)['en']>>

/** Returns the name of a language: "Arabic". Languages other than the interface's keep their code. */
export function languageName(t: SayContacts, language: string | null): string {
  if (language === null) return t('not_known')
  return language === 'ar' || language === 'en' ? t(language) : language
}

/** The phone number of a contact, or a note that there is none or that WhatsApp withholds it. */
export function PhoneOf({
  contact: { phone, rawPhone, whatsAppId },
}: {
  contact: Pick<ContactView, 'phone' | 'rawPhone' | 'whatsAppId'>
}) {
  const t = useWords(contactsWords)
  const number = phone ?? rawPhone
  if (number !== null) return <Phone phone={number} />
  if (whatsAppId === null) return <span className={layout.muted}>{t('no_number')}</span>
  return (
    <Tooltip label={t('withheld_why', { id: whatsAppId })} multiline w={260}>
      <span className={layout.muted}>{t('withheld')}</span>
    </Tooltip>
  )
}

/**
 * The opt-out state of a contact, such as "stopped", as an icon with a word. Only an opt-out gets a pill; the common
 * state is plain text.
 */
export function MessagesState({ isStopped }: { isStopped: boolean }) {
  const t = useWords(contactsWords)
  if (isStopped) {
    return (
      <Pill tone="bad" icon="hand">
        {t('stopped')}
      </Pill>
    )
  }
  return (
    <span className={styles.accepts}>
      <Icon name="ok" size={14} />
      {t('accepts')}
    </span>
  )
}

/** A menu that shows and hides columns of the list. */
export function ColumnsMenu({
  columns,
  hidden,
  onToggle,
}: {
  columns: readonly Named[]
  hidden: ReadonlySet<string>
  onToggle(key: string): void
}) {
  const t = useWords(contactsWords)
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button size="xs" variant="subtle" leftSection={<Icon name="columns" />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {columns.map(({ key, head }) => {
          const isShown = key.startsWith('fields.') ? hidden.has(key) : !hidden.has(key)
          return (
            <Menu.Item
              key={key}
              role="menuitemcheckbox"
              aria-checked={isShown}
              leftSection={<span className={styles.tick}>{isShown && <Icon name="check" />}</span>}
              onClick={() => onToggle(key)}
            >
              <bdi>{head}</bdi>
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
