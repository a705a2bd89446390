import { PageLink } from '../parts/PageLink.tsx'
import { IdChip } from '../parts/Code.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { Empty } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useOutside } from './use-shifted.ts'
import { useWallFormat } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** Appointments to come that lie outside of the hours of who keeps them: they stay booked, and people decide. */
export function Outside() {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const list = useOutside()
  return (
    <ListPage
      isBelow
      title={t('outside')}
      lead={t('outside_why')}
      list={list}
      empty={<Empty title={t('none_outside')} />}
      columns={[
        {
          key: 'customer',
          head: t('customer'),
          cell: ({ id, customerName }) => (
            <PageLink to="appointments/$appointment" params={{ appointment: id }}>
              <bdi>{customerName ?? t('no_name')}</bdi>
            </PageLink>
          ),
        },
        {
          key: 'service',
          head: t('service'),
          cell: ({ serviceName }) => <bdi>{serviceName}</bdi>,
        },
        {
          key: 'time',
          head: t('time'),
          cell: ({ local }) => wall.dayAndTime(Date.parse(`${local}Z`)),
        },
        {
          key: 'missing',
          head: t('not_there'),
          cell: ({ missing }) => missing.map((name) => <bdi key={name}>{name} </bdi>),
        },
        {
          key: 'reference',
          head: t('reference'),
          cell: ({ reference }) => <IdChip id={reference} />,
        },
      ]}
    />
  )
}
