import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { now } from '../words/now.ts'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { useTicker } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { Composer } from './Composer.tsx'
import { ContactPanel } from './ContactPanel.tsx'
import { Lines } from './Lines.tsx'
import styles from './thread.module.css'
import { ThreadHead } from './ThreadHead.tsx'
import { useConversationActs } from './use-conversation-acts.ts'
import { threadWords } from './words-thread.ts'

/** The middle column of the inbox: the conversation of the URL, with its messages and its composer. */
export function Conversation() {
  const { conversation } = useParams({ from: '/p/$company/inbox/$conversation' })
  // The key resets the state of the components, which belongs to one conversation.
  return <Opened key={conversation} id={conversation} />
}

function Opened({ id }: { id: string }) {
  const api = useApi()
  const { data, dataUpdatedAt, isError, error, refetch } = useQuery(
    api.get('conversations/:conversationId', { conversationId: id }),
  )
  useLiveConversation(id)
  if (!data) {
    return (
      <div className={styles.thread}>
        {isError ? (
          <div className={styles.note}>
            <Failed error={error} onRetry={() => void refetch()} />
          </div>
        ) : (
          <Skeleton />
        )}
      </div>
    )
  }
  return <Thread conversation={data} readAt={dataUpdatedAt} />
}

const BEAT_MS = 30_000
const AFTER_END_MS = 1_000
const AGAIN_MS = 10_000

/** No event reports the end of the reply window, so the conversation is read again right after it. */
function useRefreshAtWindowEnd(
  { id, composer: { mayText, until } }: ConversationDetail,
  readAt: number,
): void {
  const api = useApi()
  useEffect(() => {
    if (!mayText || until === null) return undefined
    const left = new Date(until).getTime() - now().getTime() + AFTER_END_MS
    const timer = setTimeout(
      () => void api.refresh('conversations/:conversationId', { conversationId: id }),
      left > 0 ? left : AGAIN_MS,
    )
    return () => clearTimeout(timer)
    // If this clock is ahead of the service's, the window is still open in the response, so the conversation is read
    // once more.
  }, [api, id, mayText, until, readAt])
}

function Thread({ conversation, readAt }: { conversation: ConversationDetail; readAt: number }) {
  const t = useWords(threadWords)
  const acts = useConversationActs(conversation)
  const [isPanelOpen, setPanelOpen] = useState(false)
  const { resolve, reopen } = acts
  const isOpen = conversation.status === 'open'
  useMarkSeen(conversation)
  useTicker(true, BEAT_MS)
  useRefreshAtWindowEnd(conversation, readAt)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.altKey || event.code !== 'KeyR' || event.ctrlKey || event.metaKey) return
      if (event.repeat) return
      event.preventDefault()
      if (isOpen) resolve()
      else reopen()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  })
  return (
    <div className={styles.columns} data-panel={isPanelOpen}>
      <section className={styles.thread} aria-label={t('thread')}>
        <ThreadHead
          conversation={conversation}
          acts={acts}
          isPanelOpen={isPanelOpen}
          onPanel={() => setPanelOpen(!isPanelOpen)}
        />
        {acts.stale !== null && (
          <div className={styles.stale} role="alert">
            <span>{acts.stale}</span>
            <button type="button" className={styles.plain} onClick={acts.forgetStale}>
              {t('understood')}
            </button>
          </div>
        )}
        <Lines conversation={conversation} acts={acts} />
        <Composer conversation={conversation} acts={acts} />
      </section>
      <ContactPanel conversation={conversation} onClose={() => setPanelOpen(false)} />
    </div>
  )
}

const DEBOUNCE_MS = 250

/** Reads the conversation again when a live change of it arrives. */
function useLiveConversation(id: string): void {
  const api = useApi()
  const key = api.key('conversations/:conversationId', { conversationId: id })
  const isOfConversation = (thing: object) =>
    'conversationId' in thing && thing.conversationId === id
  useLiveQuery('conversation', key, { debounceMs: DEBOUNCE_MS, isOf: (thing) => thing.id === id })
  useLiveQuery('message', key, {
    debounceMs: DEBOUNCE_MS,
    isOf: isOfConversation,
  })
  // The assistant's steps change no other part of the conversation.
  useLiveQuery(
    'reply',
    api.get('conversations/:conversationId/answering', { conversationId: id }).queryKey,
    {
      debounceMs: DEBOUNCE_MS,
      isOf: isOfConversation,
    },
  )
}

/** Marks the conversation as read while its page is visible. */
function useMarkSeen({ id, isUnread, lastMessage }: ConversationDetail): void {
  const api = useApi()
  const lastAt = lastMessage?.at
  useEffect(() => {
    if (!isUnread) return
    const markSeen = () => {
      if (document.visibilityState !== 'visible') return
      // A conversation that could not be marked stays unread until the next time the page is visible.
      api.call('post', 'conversations/:conversationId/seen', { conversationId: id }).catch(() => {})
    }
    markSeen()
    document.addEventListener('visibilitychange', markSeen)
    return () => document.removeEventListener('visibilitychange', markSeen)
  }, [api, id, isUnread, lastAt])
}
