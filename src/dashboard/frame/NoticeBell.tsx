import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { LazyMenu } from '../parts/LazyMenu.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { accountApi } from '../app/resources.ts'
import styles from './frame.module.css'
import { topWords } from './words-top.ts'

const NoticeList = lazy(() =>
  import('./NoticeList.tsx').then((module) => ({ default: module.NoticeList })),
)

const READ_AGAIN_MS = 60_000
const NONE = { count: 0, isMore: false }

/** The number of unread notices, and a menu with the notices. */
export function NoticeBell() {
  const t = useWords(topWords)
  const format = useFormat()
  const { count, isMore } =
    useQuery({ ...accountApi.get('/notices/unread'), refetchInterval: READ_AGAIN_MS }).data ?? NONE
  const label =
    count === 0 ? t('notices') : t(isMore ? 'unread_notices_least' : 'unread_notices', { n: count })
  return (
    <LazyMenu menu={NoticeList} kind="dialog" className={styles.topIcon}>
      <span className="visually-hidden">{label}</span>
      <Icon name="bell" />
      {count > 0 && (
        // The label contains the number already; in Arabic it has no digits for one and two.
        <span className={styles.unread} aria-hidden="true">
          {format.number(count)}
          {isMore && '+'}
        </span>
      )}
    </LazyMenu>
  )
}
