import { appointmentStatusWords } from '../../core/words/appointment-status-words.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { useLiveQuery } from '../app/live.tsx'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import { ShowMore, type ListState } from '../parts/ListTable.tsx'
import { Panel, ReadState } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { RunPill } from '../runs/RunPill.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { contactWords } from './words-contact.ts'

const SHOWN = '10'

/** A panel with the entities of a contact, page by page, with its loading, failed and empty states. */
function RowsPanel<Item>({
  title,
  list,
  items = list.data?.items ?? [],
  none,
  end,
  row,
}: {
  title: string
  list: ListState & { isSuccess: boolean; data?: { items: readonly Item[] } | undefined }
  /** The rows, where they are not those of the list alone. */
  items?: readonly Item[]
  none: string
  end?: ReactNode
  row(item: Item): ReactNode
}) {
  return (
    <Panel title={title} end={end}>
      <ReadState of={list} rows={2} />
      {list.isSuccess && items.length === 0 && <p className={layout.quiet}>{none}</p>}
      {items.length > 0 && <ul className={layout.plainList}>{items.map(row)}</ul>}
      <ShowMore list={list} size="xs" />
    </Panel>
  )
}

/** The panel with a contact's conversations: the open ones, then the resolved ones. */
export function ConversationsPanel({ contactId }: { contactId: string }) {
  const t = useWords(contactWords)
  const channelName = useChannelName()
  const api = useApi()
  const open = useInfiniteQuery(
    api.list('conversations', { tab: 'open', q: contactId, limit: SHOWN }),
  )
  const isMoreOpen = !open.isSuccess || open.hasNextPage
  const resolved = useInfiniteQuery({
    ...api.list('conversations', { tab: 'resolved', q: contactId, limit: SHOWN }),
    enabled: !isMoreOpen,
  })
  useLiveQuery('conversation', api.listKey('conversations'))
  const ofResolved = isMoreOpen ? [] : (resolved.data?.items ?? [])
  return (
    <RowsPanel
      title={t('conversations')}
      none={t('no_conversations')}
      list={isMoreOpen ? open : resolved}
      items={[...(open.data?.items ?? []), ...ofResolved]}
      row={({ id, channelType, status, lastMessage, createdAt }) => (
        <li key={id} className={styles.row}>
          <ConversationLink id={id}>
            {t('conversation', { channel: channelName(channelType) })}
          </ConversationLink>
          <span className={styles.ends}>
            <span>{t(`${status}_conversation`)}</span> ·{' '}
            <Time at={lastMessage?.at ?? createdAt} as="near" />
          </span>
          {lastMessage?.text != null && (
            <span className={styles.whole}>
              <bdi>{lastMessage.text.slice(0, 160)}</bdi>
            </span>
          )}
        </li>
      )}
    />
  )
}

/** The panel with the runs of flows that were started for a phone number. */
export function RunsPanel({ phone }: { phone: string }) {
  const t = useWords(contactWords)
  const api = useApi()
  const companyId = useCompanyId()
  const list = useInfiniteQuery(api.list('runs', { phone, limit: SHOWN }))
  const params = { company: companyId }
  return (
    <RowsPanel
      title={t('runs')}
      none={t('no_runs')}
      list={list}
      end={
        (list.data?.items.length ?? 0) > 0 && (
          <Link to="/p/$company/runs" params={params} search={{ customer: phone }}>
            {t('all_runs')}
          </Link>
        )
      }
      row={({ id, flow, status, createdAt }) => (
        <li key={id} className={styles.row}>
          <Link to="/p/$company/runs/$run" params={{ ...params, run: id }}>
            <bdi>{flow.name}</bdi>
          </Link>
          <span className={styles.ends}>
            <RunPill status={status} /> · <Time at={createdAt} as="near" />
          </span>
        </li>
      )}
    />
  )
}

/** The panel with a contact's leads. */
export function LeadsPanel({ contactId }: { contactId: string }) {
  const t = useWords(contactWords)
  const api = useApi()
  useLiveQuery('lead', api.listKey('leads'))
  const list = useInfiniteQuery(api.list('leads', { contactId, limit: SHOWN }))
  return (
    <RowsPanel
      title={t('leads')}
      none={t('no_leads')}
      list={list}
      row={({ id, status, score, summary, createdAt }) => (
        <li key={id} className={styles.row}>
          <PageLink to="leads" search={{ lead: id }}>
            {t(`lead_${status}`)}
          </PageLink>
          <span className={styles.ends}>
            {score !== null && <span>{t('score', { n: score })} · </span>}
            <Time at={createdAt} as="near" />
          </span>
          {summary !== null && (
            <span className={styles.whole}>
              <bdi>{summary}</bdi>
            </span>
          )}
        </li>
      )}
    />
  )
}

/** The panel with a contact's appointments. */
export function AppointmentsPanel({ contactId }: { contactId: string }) {
  const t = useWords(contactWords)
  const nameOfStatus = useWords(appointmentStatusWords)
  const api = useApi()
  useLiveQuery('appointment', api.listKey('appointments'))
  const list = useInfiniteQuery(api.list('appointments', { contactId, limit: SHOWN }))
  return (
    <RowsPanel
      title={t('appointments')}
      none={t('no_appointments')}
      list={list}
      row={({ id, serviceName, status, startsAt }) => (
        <li key={id} className={styles.row}>
          <bdi>{serviceName}</bdi>
          <span className={styles.ends}>
            <span>{nameOfStatus(status)}</span> <Time at={startsAt} />
          </span>
        </li>
      )}
    />
  )
}
