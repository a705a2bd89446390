import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useApi } from '../app/resources.ts'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail, TimelineItem } from '../../contract/dashboard/conversation.ts'
import { Bubble } from './Bubble.tsx'
import { EntryLine } from './EntryLine.tsx'
import { HandoverCard } from './HandoverCard.tsx'
import { timelineQuery } from './inbox-queries.ts'
import { useUnsent } from './outbox.ts'
import styles from './thread.module.css'
import { UnsentBubble } from './UnsentBubble.tsx'
import type { ConversationActs } from './use-conversation-acts.ts'
import { threadWords } from './words-thread.ts'

/**
 * The messages and entries of a conversation, oldest first. The list scrolls from its end: the newest line stays
 * visible, and loading earlier lines does not move the text that is being read.
 */
export function Lines({
  conversation,
  acts,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
}) {
  const t = useWords(threadWords)
  const api = useApi()
  const list = useInfiniteQuery(timelineQuery(api, conversation.id))
  const unsent = useUnsent(conversation.id)
  if (list.isError && !list.data) {
    return (
      <div className={styles.lines}>
        <div className={styles.note}>
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        </div>
      </div>
    )
  }
  const items = list.data ? list.data.pages.flatMap((page) => page.items).toReversed() : []
  // The card follows the latest handover. If that line is not loaded yet, the card is above the loaded lines.
  const handedOver = conversation.handover
    ? items.findLast((item) => item.kind === 'entry' && item.entry === 'handed_over')
    : undefined
  const card = <HandoverCard conversation={conversation} acts={acts} />
  return (
    // Keyboard users need the focus on an element to scroll it.
    <div className={styles.lines} tabIndex={0} role="log" aria-label={t('lines')}>
      <div className={styles.linesInner}>
        {list.isPending && <Skeleton />}
        {list.hasNextPage && (
          <div className={styles.earlier}>
            <ShowMore list={list} size="xs">
              {t('show_earlier')}
            </ShowMore>
          </div>
        )}
        {!handedOver && card}
        {items.map((item, at) => (
          <Fragment key={item.id}>
            <Day of={item} before={items[at - 1]} />
            {item === handedOver ? (
              card
            ) : item.kind === 'message' ? (
              <Bubble message={item} />
            ) : (
              <EntryLine entry={item} />
            )}
          </Fragment>
        ))}
        {unsent.map((one) => (
          <UnsentBubble key={one.key} unsent={one} />
        ))}
      </div>
    </div>
  )
}

/** The heading of a day, above its first item. */
function Day({ of, before }: { of: TimelineItem; before: TimelineItem | undefined }) {
  const format = useFormat()
  const day = format.dayHeading(of.at)
  if (before && format.dayHeading(before.at) === day) return null
  return <div className={styles.day}>{day}</div>
}
