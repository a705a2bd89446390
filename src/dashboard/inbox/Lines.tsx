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
import { timelineQuery } from './inbox-queries.ts'
import { useUnsent, discard, sendAgain, type UnsentMessage } from './outbox.ts'
import layout from '../parts/layout.module.css'
import styles from './thread.module.css'
import type { ConversationActs } from './use-conversation-acts.ts'
import { threadWords } from './words-thread.ts'
import { Button, Menu } from '@mantine/core'
import { Pill } from '../parts/Pill.tsx'
import { prependToDraft } from './drafts.ts'
import { now } from '../words/now.ts'
import { useSession } from '../app/session.ts'
import { Icon } from '../parts/Icon.tsx'
import { useReasonName } from './Marks.tsx'
import { AssigneeItems } from './ThreadHead.tsx'

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

/**
 * A message on its way to the service, or one that failed to arrive. A failed one stays until the member retries, edits
 * or discards it.
 */
function UnsentBubble({ unsent }: { unsent: UnsentMessage }) {
  const t = useWords(threadWords)
  const { state, shown, refusal, said, conversationId } = unsent
  const edit = () => {
    prependToDraft(conversationId, said.text ?? said.caption ?? '')
    discard(unsent)
  }
  const mayEdit = (said.text ?? said.caption ?? '') !== ''
  return (
    <article
      className={styles.bubble}
      data-ours
      data-status={state}
      role={state === 'failed' ? 'alert' : undefined}
    >
      <div className={styles.words} dir="auto">
        {shown}
      </div>
      {state === 'sending' ? (
        <div className={styles.trouble}>
          <Pill tone="busy">{t('status_sending')}</Pill>
        </div>
      ) : (
        <div className={styles.trouble}>
          <Pill tone="bad">{t('not_sent')}</Pill>
          <span className={styles.troubleWhy}>{refusal ?? t('unsent_offline')}</span>
          <Button size="xs" variant="filled" onClick={() => sendAgain(unsent)}>
            {t('try_again')}
          </Button>
          {mayEdit && (
            <Button size="xs" onClick={edit}>
              {t('edit')}
            </Button>
          )}
          <Button size="xs" onClick={() => discard(unsent)}>
            {t('discard')}
          </Button>
        </div>
      )}
    </article>
  )
}

/** The reason of a handover, in the words of its author, and a button to take the conversation over. */
function HandoverCard({
  conversation: { handover, waitingSince, assignee },
  acts,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
}) {
  const t = useWords(threadWords)
  const format = useFormat()
  const reasonName = useReasonName()
  const { person } = useSession()
  if (!handover) return null
  const since = waitingSince ?? handover.openedAt
  const time = format.duration(now().getTime() - new Date(since).getTime())
  return (
    <section className={styles.card} aria-label={t('handed_to_team')}>
      <div className={styles.cardHead}>
        <Icon name="hand_over" />
        <strong>{t('handed_to_team')}</strong>
        <span>{reasonName(handover.reason)}</span>
        <span className={layout.atEnd}>
          {waitingSince === null ? t('handed_ago', { time }) : t('waiting_for', { time })}
        </span>
      </div>
      {handover.reasonText !== null && (
        <p className={styles.cardWords} dir="auto">
          {t('quoted', { text: handover.reasonText })}
        </p>
      )}
      <div className={styles.cardActs}>
        {assignee?.id !== person.id && (
          <Button variant="filled" size="xs" loading={acts.isBusy} onClick={acts.takeOver}>
            {t('assign_me')}
          </Button>
        )}
        <Menu position="bottom-start">
          <Menu.Target>
            <Button size="xs">{t('assign_to')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <AssigneeItems acts={acts} />
          </Menu.Dropdown>
        </Menu>
        <Button size="xs" disabled={acts.isBusy} onClick={acts.giveBack}>
          {t('give_back_assistant')}
        </Button>
      </div>
    </section>
  )
}
