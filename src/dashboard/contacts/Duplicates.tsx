import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import type { DuplicateView, ListedContact } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { Empty, PageHeader, Panel } from '../parts/Page.tsx'
import { ListStates } from '../parts/ListTable.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Time } from '../parts/Time.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import { Channels, PhoneOf } from './columns.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { MergeDialog } from './MergeDialog.tsx'
import { settingsWords } from './words-settings.ts'

type Pair = readonly [ListedContact, ListedContact]

const PAGE = '20'

/** Pairs of contacts that may be one customer, for a member to review. */
export function Duplicates() {
  const t = useWords(settingsWords)
  const api = useApi()
  const list = useInfiniteQuery(api.list('contact-duplicates', { limit: PAGE }))
  const [compared, setCompared] = useState<Pair | null>(null)
  const { isBusy, run } = useApiMutation()
  const keepApart = async ([{ id }, { id: otherId }]: Pair) => {
    const json: { contactIds: [string, string] } = { contactIds: [id, otherId] }
    await run(() => api.post('contact-duplicates/not-same', json), { done: t('not_same_done') })
  }
  const pairs = list.data?.items ?? []
  return (
    <>
      <PageHeader
        isBelow
        title={t('duplicates')}
        lead={t('duplicates_lead')}
        acts={<PageButton to="contacts">{t('back')}</PageButton>}
      />
      <ListStates list={list} count={pairs.length} empty={<Empty title={t('no_duplicates')} />}>
        <div className={layout.stack}>
          {pairs.map((pair) => (
            <Duplicate
              key={pair.contacts.map(({ id }) => id).join()}
              pair={pair}
              isBusy={isBusy}
              onCompare={() => setCompared(pair.contacts)}
              onKeepApart={() => void keepApart(pair.contacts)}
            />
          ))}
        </div>
      </ListStates>
      {compared && (
        <MergeDialog contact={compared[0]} other={compared[1]} onClose={() => setCompared(null)} />
      )}
    </>
  )
}

function Duplicate({
  pair: { by, value, contacts },
  isBusy,
  onCompare,
  onKeepApart,
}: {
  pair: DuplicateView
  isBusy: boolean
  onCompare(): void
  onKeepApart(): void
}) {
  const t = useWords(settingsWords)
  return (
    <Panel
      title={
        <>
          {t(`same_${by}`)} <bdi className={layout.muted}>{value}</bdi>
        </>
      }
      end={
        <span className={styles.ends}>
          <Button size="xs" disabled={isBusy} onClick={onKeepApart}>
            {t('not_same')}
          </Button>
          <Button size="xs" disabled={isBusy} onClick={onCompare}>
            {t('compare')}
          </Button>
        </span>
      }
    >
      <ul className={layout.plainList}>
        {contacts.map((contact) => (
          <li key={contact.id} className={styles.row}>
            <PersonLink contact={contact} />
            <span className={styles.ends}>
              {contact.name !== null && <PhoneOf contact={contact} />}
              {contact.email !== null && <bdi>{contact.email}</bdi>}
              <Channels types={contact.channels} />
              <LastWrote at={contact.lastSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function LastWrote({ at }: { at: string | null }) {
  const t = useWords(settingsWords)
  if (at === null) return <span>{t('never_wrote')}</span>
  return (
    <span>
      {t('wrote_last')} <Time at={at} as="near" />
    </span>
  )
}
