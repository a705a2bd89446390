import type { ReactNode } from 'react'
import type { Filters } from '../app/use-filters.ts'
import { SearchBox, Toolbar } from './List.tsx'
import { ListTable, type TableProps, type TableRows } from './ListTable.tsx'
import { PageHeader } from './Page.tsx'

type Found = {
  /** What of the address filters the list, where anything does. */
  filters?: Pick<Filters, 'isOn' | 'count' | 'clear'> & Partial<Pick<Filters, 'text'>>
  /** What its search box is called, where it has one. */
  search?: string | undefined
  /** The other filters. */
  find?: ReactNode
  /** How many there are, or what is done with the list, at the end of its line. */
  end?: ReactNode
  /** Puts the rows beside something, or something in their place. */
  body?(rows: ReactNode): ReactNode
}

type ListingProps<Item> = Found & TableProps<Item>

/** A list with what searches and filters it. */
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
 * A page that shows a list: its title and acts, what is to be known of all of it, what searches and filters it, its
 * rows, and the dialogs and drawers that it opens.
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
  /** It is opened from another page of its part, and so named in the bar on top. */
  isBelow?: boolean
  /** In place of the usual head. */
  head?: ReactNode
  /** Banners and tabs. */
  above?: ReactNode
  children?: ReactNode
  /** What the table is called, where that is not the title. */
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
