import { Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useApi } from '../app/resources.ts'
import { NoticeBell } from '../frame/NoticeBell.tsx'
import { useSession } from '../app/session.ts'
import { useChannelName } from '../parts/use-channel-name.ts'
import { channelIcon } from '../parts/channel-icon.ts'
import { Icon } from '../parts/Icon.tsx'
import { Avatar, Kbd } from '../parts/Page.tsx'
import { Phone } from '../parts/Phone.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { peopleQuery } from './inbox-queries.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { useCustomerName } from './Marks.tsx'
import { StartFlow } from './StartFlow.tsx'
import layout from '../parts/layout.module.css'
import styles from './thread.module.css'
import type { ConversationActs } from './use-conversation-acts.ts'
import { threadWords } from './words-thread.ts'

/** The head of a conversation: the customer, the handler, and the acts. */
export function ThreadHead({
  conversation,
  acts,
  isPanelOpen,
  onPanel,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
  isPanelOpen: boolean
  onPanel(): void
}) {
  const t = useWords(threadWords)
  const search = useSearch({ from: '/p/$company/inbox' })
  const channelName = useChannelName()
  const [isStarting, setStarting] = useState(false)
  const { contact, channelType, status } = conversation
  const name = useCustomerName()(conversation)
  const isOpen = status === 'open'
  const mayBeAnswered = capabilitiesOf(channelType).reply.kind !== 'never'
  return (
    <header className={styles.head}>
      <PageLink to="inbox" search={search} className={styles.back} aria-label={t('back')}>
        <Icon name="arrow_back" size={20} />
      </PageLink>
      <Avatar name={name} size={34} />
      <div className={styles.headText}>
        <h2 className={styles.name}>
          <bdi>{name}</bdi>
        </h2>
        <div className={styles.sub}>
          <Icon name={channelIcon(channelType)} size={14} label={channelName(channelType)} />
          {contact?.phone != null && contact.name !== null && (
            <span className={styles.subPhone}>
              <Phone phone={contact.phone} />
            </span>
          )}
          <AssignMenu conversation={conversation} acts={acts} />
        </div>
      </div>
      <div className={layout.line}>
        {contact !== null && mayBeAnswered && (
          <Button
            className={styles.wide}
            leftSection={<Icon name="flow" />}
            onClick={() => setStarting(true)}
          >
            {t('start_flow')}
          </Button>
        )}
        <Button
          className={styles.wide}
          leftSection={<Icon name={isOpen ? 'check' : 'refresh'} />}
          rightSection={<Kbd>Alt R</Kbd>}
          loading={acts.isBusy}
          onClick={isOpen ? acts.resolve : acts.reopen}
        >
          {isOpen ? t('resolve') : t('reopen')}
        </Button>
        <IconButton
          icon={isOpen ? 'check' : 'refresh'}
          iconSize={22}
          label={isOpen ? t('resolve') : t('reopen')}
          className={styles.narrow}
          size={44}
          disabled={acts.isBusy}
          onClick={isOpen ? acts.resolve : acts.reopen}
        />
        {/* On a phone the conversation covers the bar with this button. */}
        <span className={styles.narrow}>
          <NoticeBell />
        </span>
        <IconButton
          hasTip
          icon="person"
          iconSize={20}
          label={t('customer')}
          className={styles.panelSwitch}
          size={44}
          aria-expanded={isPanelOpen}
          onClick={onPanel}
        />
      </div>
      {isStarting && <StartFlow conversation={conversation} onClose={() => setStarting(false)} />}
    </header>
  )
}

/** The assignee; a click assigns the conversation to another member, or to none. */
function AssignMenu({
  conversation: { assignee, status, handledBy },
  acts,
}: {
  conversation: ConversationDetail
  acts: ConversationActs
}) {
  const t = useWords(threadWords)
  const has =
    status === 'resolved'
      ? t('resolved')
      : assignee
        ? (assignee.name ?? t('unnamed'))
        : handledBy === 'assistant'
          ? t('with_assistant')
          : t('unassigned')
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={styles.assignee}
          aria-label={t('assigned_now', { name: has })}
        >
          <bdi>{has}</bdi>
          <Icon name="chevron_down" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <AssigneeItems acts={acts} />
        <Menu.Divider />
        {assignee && <Menu.Item onClick={() => acts.assign(null)}>{t('assign_nobody')}</Menu.Item>}
        {handledBy === 'staff' && status === 'open' && (
          <Menu.Item onClick={acts.giveBack}>{t('give_back')}</Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Menu items of the members who can be assigned, with the signed-in member first. */
export function AssigneeItems({ acts }: { acts: ConversationActs }) {
  const t = useWords(threadWords)
  const api = useApi()
  const { person } = useSession()
  const { data } = useQuery(peopleQuery(api))
  const others = (data ?? []).filter(({ id }) => id !== person.id)
  return (
    <>
      <Menu.Item onClick={() => acts.assign(person.id)}>{t('assign_me')}</Menu.Item>
      {others.map(({ id, name }) => (
        <Menu.Item key={id} onClick={() => acts.assign(id)}>
          <bdi>{name}</bdi>
        </Menu.Item>
      ))}
    </>
  )
}
