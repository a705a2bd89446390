import { Button, Checkbox, CloseButton, TextInput } from '@mantine/core'
import {
  Children,
  Fragment,
  isValidElement,
  startTransition,
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { useWords } from '../words/use-words.tsx'
import { FilterSheet } from './FilterSheet.tsx'
import { Icon } from './Icon.tsx'
import { useRowKeys } from './move-in-list.ts'
import { Empty, Failed, Skeleton } from './Page.tsx'
import styles from './parts.module.css'
import { usePhone } from './use-phone.ts'
import { partsWords } from './words.ts'
import { showMore, type LongList } from './show-more.ts'

/** Search, filters and, at the end, how many there are. On a phone the filters stand in a sheet. */
export function Toolbar({
  children,
  end,
  chosen,
}: {
  children: ReactNode
  end?: ReactNode
  /** What each filter is set to, undefined while it is off. Not given: what stands here is no filter. */
  chosen?: readonly unknown[]
}) {
  const isPhone = usePhone()
  const all = Children.toArray(children)
  const isSearch = (child: ReactNode) => isValidElement(child) && child.type === SearchBox
  const filters = all.filter((child) => !isSearch(child))
  return (
    <div className={styles.toolbar}>
      {isPhone && chosen !== undefined ? (
        <>
          {all.filter(isSearch)}
          <FilterSheet count={chosen.filter((one) => one !== undefined).length}>
            {filters}
          </FilterSheet>
        </>
      ) : (
        children
      )}
      {end !== undefined && <div className={styles.toolbarEnd}>{end}</div>}
    </div>
  )
}

const TYPING_MS = 250

/** What is searched for is told once the typing rests. */
export function SearchBox({
  value,
  label,
  onSearch,
}: {
  value: string
  label: string
  onSearch(text: string): void
}) {
  const t = useWords(partsWords)
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value !== told.current) setText(value)
    told.current = value
  }, [value])
  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      onSearch(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      w={{ base: '100%', xs: 320 }}
      leftSection={<Icon name="search" />}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label={t('clear')} onClick={() => setText('')} />
        )
      }
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

/** A filter that is on, with a way to take it off; or one that could be added. */
export function FilterChip({
  label,
  isOn,
  ...button
}: {
  label: string
  isOn: boolean
} & Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'>) {
  const t = useWords(partsWords)
  return (
    <button
      {...button}
      type="button"
      className={styles.chip}
      data-on={isOn}
      aria-label={isOn ? t('remove_filter', { name: label }) : label}
    >
      {!isOn && <Icon name="plus" size={13} />}
      {label}
      {isOn && <Icon name="close" size={13} />}
    </button>
  )
}

export type Column<Item> = {
  key: string
  head: ReactNode
  cell(item: Item): ReactNode
  /** Figures stand at the end of their column. */
  isFigure?: boolean
  /**
   * Where rows are of two lines: a line of its own, small, at its end, beside them all (a menu), or not there;
   * `hidden` on tablets neither.
   */
  phone?: 'line' | 'quiet' | 'end' | 'menu' | 'hidden' | 'gone'
}

export type ListState = LongList & {
  isPending: boolean
  isError: boolean
  error: unknown
  refetch(): unknown
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
}

/** About what a tall window has room for. */
const FIRST_ROWS = 24

/** How many of the rows are drawn: those that are seen first, and all of them in the moment after. */
function useShownRows(rows: number): number {
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (rows > FIRST_ROWS) startTransition(() => setWhole(true))
  }, [rows])
  return isWhole ? rows : FIRST_ROWS
}

/** With a key held a click is the browser's: it opens the link in another tab or window, and this one stays. */
function isPlain({ altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return !altKey && !ctrlKey && !metaKey && !shiftKey
}

/** The states of a list: to come, failed, nothing matches, none yet, rows with more behind them. */
export function ListTable<Item extends { id: string }>({
  label,
  list,
  items,
  columns,
  empty,
  isFiltered = false,
  onClearFilters,
  onOpen,
  selected,
  onSelect,
  nameOf,
  groupOf,
  isNew,
}: {
  label: string
  list: ListState
  items: readonly Item[]
  columns: readonly Column<Item>[]
  empty: ReactNode
  isFiltered?: boolean
  onClearFilters?: () => void
  onOpen?: (item: Item) => void
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** What a row is called when it is selected. */
  nameOf?: (item: Item) => string
  /** The heading under which a row stands; rows of one heading follow each other. */
  groupOf?: (item: Item) => string
  isNew?: (item: Item) => boolean
}) {
  const t = useWords(partsWords)
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  const shown = useShownRows(items.length)
  if (list.isError) return <Failed error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <Skeleton />
  if (items.length === 0 && isFiltered) {
    return (
      <Empty
        title={t('nothing_matches')}
        act={onClearFilters && <Button onClick={onClearFilters}>{t('clear_filters')}</Button>}
      />
    )
  }
  if (items.length === 0) return empty
  const all = items.map(({ id }) => id)
  const isAllSelected = selected !== undefined && all.every((id) => selected.has(id))
  const width = columns.length + (selected ? 1 : 0)
  let group: string | null = null
  const headingOf = (item: Item) => {
    const heading = groupOf?.(item) ?? null
    if (heading === group) return null
    group = heading
    return heading
  }
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect?.(next)
  }
  return (
    <>
      <div className={styles.tableWrap}>
        <table ref={table} data-rows className={styles.table} aria-label={label}>
          <thead>
            <tr>
              {selected && (
                <th style={{ inlineSize: 24 }}>
                  <Checkbox
                    size="xs"
                    aria-label={t('select_all')}
                    checked={isAllSelected}
                    indeterminate={!isAllSelected && selected.size > 0}
                    onChange={() => onSelect?.(new Set(isAllSelected ? [] : all))}
                  />
                </th>
              )}
              {columns.map(({ key, head, isFigure, phone }) => (
                <th
                  key={key}
                  scope="col"
                  className={isFigure ? styles.figure : undefined}
                  data-phone={phone}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(0, shown).map((item) => {
              const heading = headingOf(item)
              return (
                <Fragment key={item.id}>
                  {heading !== null && (
                    <tr className={styles.day}>
                      <td colSpan={width}>{heading}</td>
                    </tr>
                  )}
                  <tr
                    data-row
                    data-opens={onOpen !== undefined}
                    data-selected={selected?.has(item.id) ?? false}
                    data-new={isNew?.(item) ?? false}
                    onClick={onOpen && ((event) => isPlain(event) && onOpen(item))}
                  >
                    {selected && (
                      <td>
                        <Checkbox
                          size="xs"
                          aria-label={t('select_row', { name: nameOf?.(item) ?? item.id })}
                          checked={selected.has(item.id)}
                          onClick={(event) => event.stopPropagation()}
                          onChange={() => toggle(item.id)}
                        />
                      </td>
                    )}
                    {columns.map(({ key, cell, isFigure, phone }) => (
                      <td
                        key={key}
                        className={isFigure ? styles.figure : undefined}
                        data-phone={phone}
                      >
                        {cell(item)}
                      </td>
                    ))}
                  </tr>
                </Fragment>
              )
            })}
          </tbody>
        </table>
      </div>
      {list.hasNextPage === true && (
        <Button
          mt="lg"
          loading={list.isFetchingNextPage ?? false}
          onClick={() => void showMore(list)}
        >
          {t('show_more')}
        </Button>
      )}
    </>
  )
}

/** What is done with the rows that are selected. */
export function BulkBar({
  count,
  note,
  onClear,
  children,
}: {
  count: number
  note?: ReactNode
  onClear(): void
  children: ReactNode
}) {
  const t = useWords(partsWords)
  if (count === 0) return null
  return (
    <div className={styles.bulk} role="region" aria-label={t('selected', { n: count })}>
      <strong>{t('selected', { n: count })}</strong>
      <span className={styles.bulkText}>{note}</span>
      {children}
      <button type="button" className={styles.bulkAct} onClick={onClear}>
        {t('clear')}
      </button>
    </div>
  )
}

export function BulkAct({ children, onClick }: { children: ReactNode; onClick(): void }) {
  return (
    <button type="button" className={styles.bulkAct} onClick={onClick}>
      {children}
    </button>
  )
}
