import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NoticeView } from '../../contract/dashboard/notice.ts'
import { Empty, Failed, Skeleton } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useLanguage } from '../words/language.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { accountApi } from '../app/resources.ts'
import layout from '../parts/layout.module.css'
import styles from './notices.module.css'
import { noticeWords } from './words-notices.ts'
import { appWords } from './words.ts'

/** The notices for Owners and Admins of the account and the mentions of the member, newest first. */
export function Notices() {
  const t = useWords(noticeWords)
  const { run } = useApiMutation()
  const list = useInfiniteQuery(accountApi.list('/notices', { limit: '20' }))
  const items = list.data?.items ?? []
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('title')}</h2>
        <ActButton
          size="xs"
          disabled={!items.some(({ readAt }) => readAt === null)}
          act={() => accountApi.post('/notices/read', { upTo: items[0]!.id })}
        >
          {t('read_all')}
        </ActButton>
      </div>
      {list.isError ? (
        <div className={styles.foot}>
          <Failed error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.isPending ? (
        <Skeleton rows={2} />
      ) : items.length === 0 ? (
        <div className={styles.foot}>
          <Empty title={t('none')}>{t('none_why')}</Empty>
        </div>
      ) : (
        <ul className={styles.list} tabIndex={0} aria-label={t('title')}>
          {items.map((notice) => (
            <Notice
              key={notice.id}
              notice={notice}
              onRead={() =>
                void run(() => accountApi.post('/notices/:noticeId/read', { noticeId: notice.id }))
              }
            />
          ))}
          {list.hasNextPage && (
            <li className={styles.foot}>
              <ShowMore list={list} size="xs">
                {t('more')}
              </ShowMore>
            </li>
          )}
        </ul>
      )}
    </>
  )
}

/** A link to the subject of a notice, in the notice's project. */
function NoticeTitle({ notice, children }: { notice: NoticeView; children: string }) {
  const { kind, endpointId, conversationId } = notice
  const company = notice.company.id
  if (endpointId !== null) {
    return (
      <Link to="/p/$company/webhooks/$endpoint" params={{ company, endpoint: endpointId }}>
        {children}
      </Link>
    )
  }
  if (conversationId !== null) {
    return (
      <Link to="/p/$company/inbox/$conversation" params={{ company, conversation: conversationId }}>
        {children}
      </Link>
    )
  }
  if (kind === 'appointments_outside_hours') {
    return (
      <Link to="/p/$company/appointments/outside-hours" params={{ company }}>
        {children}
      </Link>
    )
  }
  if (kind === 'model_broken' || kind === 'model_allowance') {
    return (
      <Link to="/p/$company/assistant/models" params={{ company }}>
        {children}
      </Link>
    )
  }
  return <strong>{children}</strong>
}

function Notice({ notice, onRead }: { notice: NoticeView; onRead(): void }) {
  const t = useWords(noticeWords)
  const app = useWords(appWords)
  const { language } = useLanguage()
  const { title, text } = notice.words[language]
  const isUnread = notice.readAt === null
  return (
    <li className={styles.item} data-unread={isUnread}>
      <span className={styles.dot} />
      <div>
        {isUnread && <span className="visually-hidden">{t('unread')}</span>}
        <NoticeTitle notice={notice}>{title}</NoticeTitle>
        <div className={styles.text}>{text}</div>
        <div className={layout.small}>
          <Time at={notice.createdAt} as="near" />{' '}
          <bdi>{notice.company.name ?? app('own_company')}</bdi>
        </div>
      </div>
      {isUnread && <IconButton hasTip icon="check" label={t('read')} onClick={onRead} />}
    </li>
  )
}
