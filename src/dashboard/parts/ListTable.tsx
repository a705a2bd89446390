import { Button, Checkbox } from '@mantine/core'
import {
  Fragment,
  startTransition,
  useEffect,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { useWords } from '../words/use-words.tsx'
import { useRowKeys } from './move-in-list.ts'
import { Empty, ReadState } from './Page.tsx'
import styles from './list.module.css'
import { showMore, type LongList } from './show-more.ts'
import { partsWords } from './words.ts'

/** A column of a table. */
export type Column<Item> = {
  head: ReactNode
  cell(item: Item): ReactNode
  /** Figures are aligned to the end of their column. */
  isFigure?: boolean
  /** The column holds the acts of a row; its heading is for screen readers only. */
  isActs?: boolean
  /**
   * The place of the cell on narrow screens, where a row has two lines. `line` is a separate line, `quiet` small text,
   * `end` the end of the row, and `menu` spans both lines. A `gone` column is missing there, and a `hidden` one also on
   * tablets.
   */
  phone?: 'line' | 'quiet' | 'end' | 'menu' | 'hidden' | 'gone'
}

/** The parts of a list query that decide which state a list shows. */
export type ListState = LongList & {
  isPending: boolean
  isError: boolean
  error: unknown
  refetch(): unknown
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
}

/** The data of a list query: the rows alone, or an object with the rows and more. */
type Holding<Item> = { data?: readonly Item[] | { items: readonly Item[] } | undefined }

/** The rows of a list, or rows derived from it. Without a list, the rows are complete already. */
export type RowsOf<Item> =
  | { list: ListState & Holding<Item>; items?: undefined }
  | { list?: ListState; items: readonly Item[] }

type Selection<Item> = {
  selected?: ReadonlySet<string>
  onSelect?: (selected: ReadonlySet<string>) => void
  /** The accessible name of a row's checkbox. */
  nameOf?: (item: Item) => string
}

type Look<Item> = Selection<Item> & {
  columns: readonly Column<Item>[]
  onOpen?: (item: Item) => void
  /** The heading above a row; rows with the same heading follow each other. */
  groupOf?: (item: Item) => string
  isNew?: (item: Item) => boolean
}

type States = {
  /** Content for a list that is empty without any filter. */
  empty: ReactNode
  isFiltered?: boolean
  onClearFilters?: () => void
}

/** The rows of a table, their looks, and the content of an empty one. */
export type TableRows<Item> = RowsOf<Item> & Look<Item> & States

/** The properties of a table; the label is its accessible name. */
export type TableProps<Item> = { label: string } & TableRows<Item>

/** Returns the items of a list: the given ones, or those of all pages that were read so far. */
export function rowsOf<Item>({ list, items }: RowsOf<Item>): readonly Item[] {
  if (items) return items
  const data = list?.data
  return data === undefined ? [] : 'items' in data ? data.items : data
}

/** The states of a list: loading, failed, no match, empty, or rows with more to load. */
export function ListStates({
  list,
  count,
  empty,
  isFiltered = false,
  onClearFilters,
  children,
}: { list?: ListState | undefined; count: number; children: ReactNode } & States) {
  const t = useWords(partsWords)
  if (list?.isError || list?.isPending) return <ReadState of={list} />
  if (count === 0 && !isFiltered) return empty
  if (count === 0) {
    return (
      <Empty
        title={t('nothing_matches')}
        act={onClearFilters && <Button onClick={onClearFilters}>{t('clear_filters')}</Button>}
      />
    )
  }
  return (
    <>
      {children}
      <ShowMore list={list} mt="lg" />
    </>
  )
}

/** A button that loads more of a list, while there is more. */
export function ShowMore({
  list,
  children,
  ...look
}: {
  list: ListState | undefined
  /** The label of the button; "Show more" by default. */
  children?: ReactNode
  mt?: string
  mb?: string
  size?: string
}) {
  const t = useWords(partsWords)
  if (!list?.hasNextPage) return null
  return (
    <Button
      {...look}
      loading={list.isFetchingNextPage ?? false}
      onClick={() => void showMore(list)}
    >
      {children ?? t('show_more')}
    </Button>
  )
}

/** A list as a table with rows and columns. */
export function ListTable<Item extends { id: string }>(props: TableProps<Item>) {
  const { label, list, empty, isFiltered, onClearFilters, columns, groupOf } = props
  const items = rowsOf(props)
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(table)
  const shown = useShownRows(items.length)
  const width = columns.length + (props.selected ? 1 : 0)
  const headings = headingsOf(items, groupOf)
  return (
    <ListStates
      list={list}
      count={items.length}
      empty={empty}
      isFiltered={isFiltered ?? false}
      {...(onClearFilters && { onClearFilters })}
    >
      <div className={styles.tableWrap}>
        <table ref={table} data-rows className={styles.table} aria-label={label}>
          <thead>
            <tr>
              <SelectAll {...props} items={items} />
              {columns.map(({ head, isFigure, isActs, phone }, at) => (
                <th
                  key={at}
                  scope="col"
                  className={isFigure ? styles.figure : undefined}
                  data-phone={phone}
                >
                  {isActs ? <span className="visually-hidden">{head}</span> : head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(0, shown).map((item, at) => (
              <Fragment key={item.id}>
                {headings[at] !== undefined && (
                  <tr className={styles.day}>
                    <td colSpan={width}>{headings[at]}</td>
                  </tr>
                )}
                <Row {...props} item={item} />
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
    </ListStates>
  )
}

/** Returns the heading above each row; undefined where the previous row has the same. */
function headingsOf<Item>(
  items: readonly Item[],
  groupOf: ((item: Item) => string) | undefined,
): (string | undefined)[] {
  const all = items.map((item) => groupOf?.(item))
  return all.map((heading, at) => (heading === all[at - 1] ? undefined : heading))
}

/** About as many rows as a tall window shows. */
const FIRST_ROWS = 24

/** Returns the number of rows to draw: the visible ones in the first render, and all of them in the next one. */
function useShownRows(rows: number): number {
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (rows > FIRST_ROWS) startTransition(() => setWhole(true))
  }, [rows])
  return isWhole ? rows : FIRST_ROWS
}

function SelectAll<Item extends { id: string }>({
  items,
  selected,
  onSelect,
}: { items: readonly Item[] } & Selection<Item>) {
  const t = useWords(partsWords)
  if (!selected) return null
  const all = items.map(({ id }) => id)
  const isAllSelected = all.every((id) => selected.has(id))
  return (
    <th style={{ inlineSize: 24 }}>
      <Checkbox
        size="xs"
        aria-label={t('select_all')}
        checked={isAllSelected}
        indeterminate={!isAllSelected && selected.size > 0}
        onChange={() => onSelect?.(new Set(isAllSelected ? [] : all))}
      />
    </th>
  )
}

/**
 * Returns whether a click opens the row. A click with a modifier key belongs to the browser, which opens the link in
 * another tab or window. A click on a link, button or field in the row belongs to that element.
 */
function isOfRow({ altKey, ctrlKey, metaKey, shiftKey, currentTarget, target }: MouseEvent) {
  const isPlain = !altKey && !ctrlKey && !metaKey && !shiftKey
  return (
    isPlain &&
    target instanceof Element &&
    currentTarget.contains(target) &&
    target.closest('a, button, input, label') === null
  )
}

function Row<Item extends { id: string }>({
  item,
  columns,
  onOpen,
  isNew,
  selected,
  onSelect,
  nameOf,
}: Look<Item> & { item: Item }) {
  const t = useWords(partsWords)
  const isSelected = selected?.has(item.id) ?? false
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(item.id)) next.add(item.id)
    onSelect?.(next)
  }
  return (
    <tr
      data-row
      data-opens={onOpen !== undefined}
      data-selected={isSelected}
      data-new={isNew?.(item) ?? false}
      onClick={onOpen && ((event) => isOfRow(event) && onOpen(item))}
    >
      {selected && (
        <td>
          <Checkbox
            size="xs"
            aria-label={t('select_row', { name: nameOf?.(item) ?? item.id })}
            checked={isSelected}
            onChange={toggle}
          />
        </td>
      )}
      {columns.map(({ cell, isFigure, phone }, at) => (
        <td key={at} className={isFigure ? styles.figure : undefined} data-phone={phone}>
          {cell(item)}
        </td>
      ))}
    </tr>
  )
}
