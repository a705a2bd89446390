import { Checkbox } from '@mantine/core'
import { PageLink } from '../parts/PageLink.tsx'
import { now } from '../words/now.ts'
import { useSession } from '../app/session.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { channelIcon } from '../parts/channel-icon.ts'
import { Icon } from '../parts/Icon.tsx'
import { Avatar } from '../parts/Page.tsx'
import { partsWords } from '../parts/words.ts'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationView } from '../../contract/dashboard/conversation.ts'
import layout from '../parts/layout.module.css'
import styles from './inbox.module.css'
import type { InboxSearch } from './inbox-search.ts'
import { ReasonPill, useCustomerName, WindowLeft } from './Marks.tsx'
import { inboxWords } from './words.ts'

/**
 * A conversation in the list: the customer, the last message, the reason of a handover, the waiting time and the time
 * left.
 */
export function ConversationRow({
  item,
  search,
  isOpen,
  isSelected,
  onToggle,
}: {
  item: ConversationView
  search: InboxSearch
  isOpen: boolean
  /** Null while no conversations are being selected. */
  isSelected: boolean | null
  onToggle(): void
}) {
  const t = useWords(inboxWords)
  const parts = useWords(partsWords)
  const format = useFormat()
  const nameOf = useCustomerName()
  const channelName = useChannelName()
  const name = nameOf(item)
  const since = item.waitingSince ?? item.lastMessage?.at ?? item.createdAt
  const age = format.duration(now().getTime() - new Date(since).getTime())
  return (
    <li className={styles.row} data-open={isOpen} data-unread={item.isUnread}>
      {isSelected !== null && (
        <Checkbox
          size="xs"
          className={styles.rowCheck}
          aria-label={parts('select_row', { name })}
          checked={isSelected}
          onChange={onToggle}
        />
      )}
      <PageLink
        to="inbox/$conversation"
        params={{ conversation: item.id }}
        search={search}
        data-row
        className={styles.rowLink}
        activeProps={{}}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span className={styles.face}>
          <Avatar name={name} size={34} />
          <span className={styles.faceChannel}>
            <Icon
              name={channelIcon(item.channelType)}
              size={12}
              label={channelName(item.channelType)}
            />
          </span>
        </span>
        <span className={styles.rowText}>
          <span className={styles.rowLine}>
            <bdi className={styles.rowName}>{name}</bdi>
            {item.isUnread && (
              <span className={styles.unread}>
                <span className="visually-hidden">{t('unread')}</span>
              </span>
            )}
            <span className={styles.rowAge} title={item.waitingSince ? t('waiting') : undefined}>
              {age}
            </span>
          </span>
          <LastText item={item} />
          <span className={styles.rowLine}>
            {item.handover && <ReasonPill reason={item.handover.reason} />}
            {item.assignee && (
              <span className={styles.rowAssignee} title={item.assignee.name ?? undefined}>
                <Icon name="person" size={13} /> <bdi>{item.assignee.name ?? t('unnamed')}</bdi>
              </span>
            )}
            <span className={layout.atEnd}>
              {item.status === 'open' && <WindowLeft of={item} />}
            </span>
          </span>
        </span>
      </PageLink>
    </li>
  )
}

function LastText({ item: { lastMessage, isErased } }: { item: ConversationView }) {
  const t = useWords(inboxWords)
  const by = useSaidBy(lastMessage)
  const text = lastMessage ? (lastMessage.text ?? t('attachment')) : t('nothing_said')
  return (
    <span className={styles.rowLast}>
      {by !== null && !isErased && (
        <span className={styles.rowSaid}>{t('said', { name: by })}</span>
      )}
      <span dir="auto" className={styles.rowWords}>
        {isErased ? t('erased') : text}
      </span>
    </span>
  )
}

/**
 * Returns the author of the last message: "You" for the member's own, otherwise the colleague's name. Returns null when
 * no member wrote it.
 */
function useSaidBy(last: ConversationView['lastMessage']): string | null {
  const t = useWords(inboxWords)
  const { person } = useSession()
  if (last?.sender === 'owner_app') return t('team')
  if (last?.sender !== 'staff') return null
  return last.author?.id === person.id ? t('you') : (last.author?.name ?? t('team'))
}
