import { useSearch } from '@tanstack/react-router'
import { PageLink } from '../parts/PageLink.tsx'
import type { AppointmentView } from '../../contract/dashboard/appointment.ts'
import { IdChip } from '../parts/Code.tsx'
import { ListTable, type ListState } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import { StatusPill } from './StatusPill.tsx'
import { useNamed } from '../words/use-named.ts'
import { useWallFormat, wallOf } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** A table of the given appointments, which span four weeks, grouped by day. */
export function AppointmentList({
  list,
  items,
}: {
  list: ListState
  items: readonly AppointmentView[]
}) {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const named = useNamed()
  const format = useFormat()
  const search = useSearch({ from: '/p/$company/appointments' })
  return (
    <ListTable
      label={t('title')}
      list={list}
      items={items}
      isFiltered={Boolean(search.service ?? search.resource ?? search.status)}
      groupOf={({ zone, startsAt }) => wall.longDay(wallOf(zone, startsAt))}
      empty={<Empty title={t('none_weeks')} />}
      columns={[
        {
          head: t('time'),
          cell: ({ zone, startsAt, endsAt }) =>
            t('from_to', {
              from: wall.time(wallOf(zone, startsAt)),
              to: wall.time(wallOf(zone, endsAt)),
            }),
        },
        {
          head: t('customer'),
          cell: ({ id, customerName, phone }) => (
            <PageLink
              to="appointments"
              search={{ ...search, open: id }}
              named={customerName ?? phone ?? t('no_name')}
            />
          ),
        },
        {
          phone: 'line',
          head: t('service'),
          cell: ({ serviceName: name, serviceNameAr: nameAr }) => (
            <bdi>{named({ name, nameAr })}</bdi>
          ),
        },
        {
          phone: 'quiet',
          head: t('with'),
          cell: ({ resources }) => <bdi>{format.list(resources.map(named))}</bdi>,
        },
        { head: t('status'), cell: ({ status }) => <StatusPill status={status} /> },
        { phone: 'gone', head: t('booked_by'), cell: ({ source }) => t(`source_${source}`) },
        { phone: 'end', head: t('reference'), cell: ({ reference }) => <IdChip id={reference} /> },
      ]}
    />
  )
}
