import type { ReactNode } from 'react'
import type { Filters } from '../app/use-filters.ts'
import { SearchBox, Toolbar } from './List.tsx'
import { ListTable, type TableProps, type TableRows } from './ListTable.tsx'
import { PageHeader } from './Page.tsx'

type Found = {
  /** The filters that the page's URL holds, where it holds any. */
  filters?: Pick<Filters, 'isOn' | 'count' | 'clear'> & Partial<Pick<Filters, 'text'>>
  /** The label of the search box, where the list has one. */
  search?: string | undefined
  /** The other filters. */
  find?: ReactNode
  /** The number of items, or acts for the list, at the end of the toolbar. */
  end?: ReactNode
  /** Wraps or replaces the rows. */
  body?(rows: ReactNode): ReactNode
}

type ListingProps<Item> = Found & TableProps<Item>

/** A list with its search, its filters and its rows, for a panel or a tab. */
export function Listing<Item extends { id: string }>({
  filters,
  search,
  find,
  end,
  body = (rows) => rows,
  ...table
}: ListingProps<Item>) {
  const hasTools = [search, find, end].some((one) => one != null && one !== false)
  return (
    <>
      {hasTools && (
        <Toolbar
          search={filters?.text && search && <SearchBox label={search} {...filters.text} />}
          end={end}
          count={filters?.count}
        >
          {find}
        </Toolbar>
      )}
      {body(
        <ListTable
          {...(filters && { isFiltered: filters.isOn, onClearFilters: filters.clear })}
          {...table}
        />,
      )}
    </>
  )
}

/**
 * A page that shows a list: title and acts, notes on the whole list, search and filters, and the rows. Its dialogs and
 * drawers are children.
 */
export function ListPage<Item extends { id: string }>({
  title,
  lead,
  acts,
  isBelow = false,
  head = <PageHeader title={title} lead={lead} acts={acts} isBelow={isBelow} />,
  above,
  children,
  ...listing
}: {
  title: string
  lead?: ReactNode
  acts?: ReactNode
  /** The page is opened from another page of its section, so the top bar shows its title as a crumb. */
  isBelow?: boolean
  /** Replaces the usual header. */
  head?: ReactNode
  /** Content above the list, such as banners and tabs. */
  above?: ReactNode
  children?: ReactNode
  /** The accessible name of the table, where it differs from the title. */
  label?: string
} & Found &
  TableRows<Item>) {
  return (
    <>
      {head}
      {above}
      <Listing label={title} {...listing} />
      {children}
    </>
  )
}
