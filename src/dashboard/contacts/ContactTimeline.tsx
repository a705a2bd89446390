import { useInfiniteQuery } from '@tanstack/react-query'
import { PageLink } from '../parts/PageLink.tsx'
import type { TimelineEntry } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import type { IconName } from '../parts/icons.ts'
import { Panel, ReadState } from '../parts/Page.tsx'
import type { Tone } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useChannelName } from '../parts/use-channel-name.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './contacts.module.css'
import { contactWords } from './words-contact.ts'

const LOOKS: Readonly<Record<TimelineEntry['kind'], readonly [Tone, IconName]>> = {
  created: ['off', 'person_add'],
  conversation: ['busy', 'inbox'],
  lead_made: ['busy', 'target'],
  opted_out: ['bad', 'hand'],
  opted_in: ['ok', 'check'],
}

/** The timeline of a contact, oldest first; a button above it loads earlier entries. */
export function ContactTimeline({ contactId }: { contactId: string }) {
  const t = useWords(contactWords)
  const api = useApi()
  const list = useInfiniteQuery(
    api.list('contacts/:contactId/timeline', { contactId, limit: '20' }),
  )
  const entries = (list.data?.items ?? []).toReversed()
  return (
    <Panel title={t('timeline')}>
      <ReadState of={list} rows={3} />
      <ShowMore list={list} size="xs" mb="md">
        {t('earlier')}
      </ShowMore>
      <Timeline
        label={t('timeline')}
        moments={entries.map((entry) => {
          const [tone, icon] = LOOKS[entry.kind]
          const key = `${entry.kind}${entry.id}`
          return { key, tone, icon, content: <Entry entry={entry} /> }
        })}
      />
    </Panel>
  )
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useWords(contactWords)
  return (
    <>
      <div className={styles.moment}>
        <What entry={entry} />
        <span className={layout.muted}>
          <Time at={entry.at} />
        </span>
      </div>
      {entry.kind === 'created' && <div className={layout.muted}>{t(`by_${entry.source}`)}</div>}
      {(entry.kind === 'opted_out' || entry.kind === 'opted_in') && (
        <div className={layout.muted}>
          {t(`how_${entry.how}`)} {entry.reason !== null && t('reason', { reason: entry.reason })}
        </div>
      )}
    </>
  )
}

function What({ entry }: { entry: TimelineEntry }) {
  const t = useWords(contactWords)
  const channelName = useChannelName()
  if (entry.kind === 'lead_made') {
    return (
      <PageLink to="leads" search={{ lead: entry.id }}>
        {t('lead_made')}
      </PageLink>
    )
  }
  if (entry.kind !== 'conversation') return <strong>{t(entry.kind)}</strong>
  return (
    <ConversationLink id={entry.id}>
      {t('conversation', { channel: channelName(entry.channelType) })}
    </ConversationLink>
  )
}
