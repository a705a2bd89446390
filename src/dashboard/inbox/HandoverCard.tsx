import { Button, Menu } from '@mantine/core'
import { now } from '../words/now.ts'
import { useSession } from '../app/session.ts'
import { Icon } from '../parts/Icon.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { useReasonName } from './Marks.tsx'
import { People } from './ThreadHead.tsx'
import styles from './thread.module.css'
import type { ConversationActs } from './use-conversation-acts.ts'
import { threadWords } from './words-thread.ts'

/** The reason of a handover, in the words of its author, and a button to take the conversation over. */
export function HandoverCard({
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
        <span className={styles.cardSince}>
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
            <People acts={acts} />
          </Menu.Dropdown>
        </Menu>
        <Button size="xs" disabled={acts.isBusy} onClick={acts.giveBack}>
          {t('give_back_assistant')}
        </Button>
      </div>
    </section>
  )
}
