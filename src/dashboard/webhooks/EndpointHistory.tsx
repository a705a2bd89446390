import { useInfiniteQuery } from '@tanstack/react-query'
import { accountApi } from '../app/resources.ts'
import { useCompanyId } from '../app/company.ts'
import { Ltr } from '../parts/Code.tsx'
import { ListTable } from '../parts/ListTable.tsx'
import { Empty } from '../parts/Page.tsx'
import { Time } from '../parts/Time.tsx'
import { useWords } from '../words/use-words.tsx'
import { endpointWords } from './words-endpoint.ts'

/** The changes of an endpoint with their authors, newest first. */
export function EndpointHistory({ endpointId }: { endpointId: string }) {
  const t = useWords(endpointWords)
  const company = useCompanyId()
  const list = useInfiniteQuery(
    accountApi.list('/audit', { companyId: company, subjectId: endpointId }),
  )
  return (
    <ListTable
      label={t('history')}
      list={list}
      empty={<Empty title={t('history_none')} />}
      columns={[
        { head: t('what'), phone: 'line', cell: ({ action }) => <Action action={action} /> },
        {
          head: t('who'),
          cell: ({ person }) =>
            person === null ? t('the_service') : <bdi>{person.name ?? person.email}</bdi>,
        },
        {
          head: t('when'),
          isFigure: true,
          phone: 'end',
          cell: ({ createdAt }) => <Time at={createdAt} />,
        },
      ]}
    />
  )
}

const KNOWN = [
  'endpoint.created',
  'endpoint.edited',
  'endpoint.switched_on',
  'endpoint.switched_off',
  'endpoint.secret_rotated',
  'endpoint.old_secret_retired',
  'endpoint.tested',
  'endpoint.deleted',
] as const

/** The name of a change; a change without a name here is shown by its code. */
function Action({ action }: { action: string }) {
  const t = useWords(endpointWords)
  const known = KNOWN.find((one) => one === action)
  return known ? t(known) : <Ltr>{action}</Ltr>
}
