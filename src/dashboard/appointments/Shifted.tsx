import { PageLink } from '../parts/PageLink.tsx'
import { IdChip } from '../parts/Code.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { Empty } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import { useShifted } from './use-shifted.ts'
import { useWallFormat } from './wall.ts'
import { appointmentsWords } from './words.ts'

/** Appointments that no longer start when the clock shows what they were booked for. */
export function Shifted() {
  const t = useWords(appointmentsWords)
  const wall = useWallFormat()
  const list = useShifted()
  const shown = (local: string) => wall.dayAndTime(Date.parse(`${local}Z`))
  return (
    <ListPage
      isBelow
      title={t('shifted')}
      lead={t('shifted_why')}
      list={list}
      empty={<Empty title={t('none_shifted')} />}
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
        { key: 'wanted', head: t('booked_for'), cell: ({ wanted }) => shown(wanted) },
        { key: 'local', head: t('starts_now'), cell: ({ local }) => shown(local) },
        {
          key: 'reference',
          head: t('reference'),
          cell: ({ reference }) => <IdChip id={reference} />,
        },
      ]}
    />
  )
}
