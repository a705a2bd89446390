import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { PageLink } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import { useApi } from '../app/resources.ts'
import { useLiveQuery } from '../app/live.tsx'
import { Empty, Failed, Skeleton } from '../parts/Page.tsx'
import { useTicker } from '../parts/Time.tsx'
import { partsWords } from '../parts/words.ts'
import { useOpenTab } from '../parts/use-open-tab.ts'
import { useFormat } from '../words/format.ts'
import { ShowMore } from '../parts/ListTable.tsx'
import { useWords } from '../words/use-words.tsx'
import { BulkClose } from './BulkClose.tsx'
import { ConversationRow } from './ConversationRow.tsx'
import layout from '../parts/layout.module.css'
import styles from './inbox.module.css'
import { listQuery } from './inbox-queries.ts'
import { isNarrowed, TABS, tabOf, type InboxSearch, type Tab } from './inbox-search.ts'
import { ListFilters } from './ListFilters.tsx'
import { inboxWords } from './words.ts'

const BEAT_MS = 30_000
const COUNTED: ReadonlySet<Tab> = new Set(['mine', 'unassigned'])

/** The list of conversations in the inbox, with tabs, filters and bulk acts. */
export function ConversationList({ openId }: { openId: string | null }) {
  const search = useSearch({ from: '/p/$company/inbox' })
  const [selected, setSelected] = useState<ReadonlySet<string> | null>(null)
  useLiveQuery('conversation', useApi().listKey('conversations'))
  // The waiting times advance with the clock.
  useTicker(true, BEAT_MS)
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  return (
    <>
      <div className={styles.listHead}>
        <Tabs search={search} />
        <ListFilters
          search={search}
          isSelecting={selected !== null}
          onSelect={() => setSelected(selected === null ? new Set() : null)}
        />
      </div>
      <Rows search={search} openId={openId} selected={selected} onToggle={toggle} />
      {selected !== null && (
        <BulkClose search={search} selected={selected} onDone={() => setSelected(null)} />
      )}
    </>
  )
}

function Tabs({ search }: { search: InboxSearch }) {
  const t = useWords(inboxWords)
  const api = useApi()
  const format = useFormat()
  const { data: counts } = useQuery(api.get('conversations/counts'))
  const countOf = (tab: Tab) => {
    // Only tabs of waiting conversations have a number.
    if (!counts || !COUNTED.has(tab) || counts[tab] === 0) return null
    const count = format.number(counts[tab])
    return counts[tab] >= counts.max ? t('at_least', { count }) : count
  }
  const bar = useOpenTab()
  return (
    <nav ref={bar} className={styles.tabs} aria-label={t('tabs')}>
      {TABS.map((tab) => (
        <PageLink
          key={tab}
          to="inbox"
          search={inTab(search, tab)}
          className={styles.tab}
          aria-current={tab === tabOf(search) ? 'page' : undefined}
          activeProps={{}}
        >
          {t(`tab_${tab}`)}
          {countOf(tab) !== null && <span className={layout.count}> {countOf(tab)}</span>}
        </PageLink>
      ))}
    </nav>
  )
}

/** Returns the search for a tab, whose order is the tab's default at first. */
function inTab(search: InboxSearch, tab: Tab): InboxSearch {
  const next = { ...search, tab }
  delete next.sort
  return next
}

function Rows({
  search,
  openId,
  selected,
  onToggle,
}: {
  search: InboxSearch
  openId: string | null
  selected: ReadonlySet<string> | null
  onToggle(id: string): void
}) {
  const t = useWords(inboxWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const go = useGo()
  const list = useInfiniteQuery(listQuery(api, search))
  if (list.isError && !list.data) {
    return (
      <div className={styles.listNote}>
        <Failed error={list.error} onRetry={() => void list.refetch()} />
      </div>
    )
  }
  if (list.isPending) return <Skeleton rows={8} />
  const items = list.data.pages.flatMap((page) => page.items)
  if (items.length === 0) {
    const goTo = (next: InboxSearch) => void go('inbox', {}, next)
    const tab = tabOf(search)
    return (
      <div className={styles.listNote}>
        {isNarrowed(search) ? (
          <Empty
            title={parts('nothing_matches')}
            act={<Button onClick={() => goTo({ tab })}>{parts('clear_filters')}</Button>}
          />
        ) : (
          <Empty
            title={t(`empty_${tab}`)}
            act={
              tab === 'open' ? undefined : (
                <Button onClick={() => goTo({ tab: 'open' })}>{t('to_all')}</Button>
              )
            }
          />
        )}
      </div>
    )
  }
  return (
    <div className={styles.scroll}>
      <ul className={layout.plainList}>
        {items.map((item) => (
          <ConversationRow
            key={item.id}
            item={item}
            search={search}
            isOpen={item.id === openId}
            isSelected={selected?.has(item.id) ?? null}
            onToggle={() => onToggle(item.id)}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={styles.listNote}>
          <ShowMore list={list} />
        </div>
      )}
    </div>
  )
}
