import type { ReactNode } from 'react'
import { IdChip } from '../parts/Code.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import type { Column, ListState } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import { useOutside, useShifted } from './use-shifted.ts'
import { useWallFormat } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** A list, for a member to decide on, of appointments that a change of the clocks moved away from their booked time. */
export function Shifted() {
  const t = useWords(appointmentsWords)
  const shown = useShownTime()
  return (
    <ToDecide
      title={t('shifted')}
      lead={t('shifted_why')}
      none={t('none_shifted')}
      list={useShifted()}
      columns={[
        { head: t('booked_for'), cell: ({ wanted }) => shown(wanted) },
        { head: t('starts_now'), cell: ({ local }) => shown(local) },
      ]}
    />
  )
}

/**
 * A list, for a member to decide on, of upcoming appointments outside of their resource's hours. They stay booked until
 * a member decides.
 */
export function Outside() {
  const t = useWords(appointmentsWords)
  const shown = useShownTime()
  return (
    <ToDecide
      title={t('outside')}
      lead={t('outside_why')}
      none={t('none_outside')}
      list={useOutside()}
      columns={[
        { head: t('time'), cell: ({ local }) => shown(local) },
        {
          head: t('not_there'),
          cell: ({ missing }) => missing.map((name) => <bdi key={name}>{name} </bdi>),
        },
      ]}
    />
  )
}

function useShownTime(): (local: string) => ReactNode {
  const wall = useWallFormat()
  return (local) => wall.dayAndTime(Date.parse(`${local}Z`))
}

type Listed = { id: string; customerName: string | null; serviceName: string; reference: string }

/** A page of appointments about which a member has to decide. */
function ToDecide<Item extends Listed>({
  none,
  columns,
  ...page
}: {
  title: string
  lead: string
  none: string
  list: ListState & { data?: { items: readonly Item[] } | undefined }
  /** The columns on which a decision depends. */
  columns: readonly Column<Item>[]
}) {
  const t = useWords(appointmentsWords)
  return (
    <ListPage<Item>
      isBelow
      {...page}
      empty={<Empty title={none} />}
      columns={[
        {
          head: t('customer'),
          cell: ({ id, customerName }) => (
            <PageLink
              to="appointments/$appointment"
              params={{ appointment: id }}
              named={customerName ?? t('no_name')}
            />
          ),
        },
        { head: t('service'), cell: ({ serviceName }) => <bdi>{serviceName}</bdi> },
        ...columns,
        { head: t('reference'), cell: ({ reference }) => <IdChip id={reference} /> },
      ]}
    />
  )
}
