import { Outlet, useParams } from '@tanstack/react-router'
import { Suspense, useRef } from 'react'
import { useRowKeys } from '../parts/move-in-list.ts'
import { Skeleton } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { ConversationList } from './ConversationList.tsx'
import styles from './inbox.module.css'
import { inboxWords } from './words.ts'

/**
 * The inbox in three columns: the list, the open conversation and its customer. On phones one column is shown at a
 * time.
 */
export function Inbox() {
  const t = useWords(inboxWords)
  const { conversation } = useParams({ strict: false })
  const list = useRef<HTMLElement>(null)
  useRowKeys(list)
  return (
    <div className={styles.inbox} data-open={conversation !== undefined}>
      <h1 className="visually-hidden">{t('title')}</h1>
      <section ref={list} data-rows className={styles.list} aria-label={t('conversations')}>
        <ConversationList openId={conversation ?? null} />
      </section>
      <Suspense fallback={<Skeleton />}>
        <Outlet />
      </Suspense>
    </div>
  )
}
