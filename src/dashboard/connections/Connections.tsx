import { useQuery } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import type { ConnectionView } from '../../contract/dashboard/connection.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { Ltr } from '../parts/Code.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Banner, Empty } from '../parts/Page.tsx'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { Credential } from './Credential.tsx'
import { ConnectionPill } from './ConnectionPill.tsx'
import { connectionFiguresQuery, connectionsQuery, usersOf } from './queries.ts'
import { UsersCount } from './Users.tsx'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { connectionsWords } from './words.ts'

const MOST = CALL_LIMITS.connectionsPerCompany

/** The page that lists the company's API connections with the figures of their latest calls. */
export function Connections() {
  const t = useWords(connectionsWords)
  const api = useApi()
  const go = useGo()
  const { developer: isInPlan } = useSession().account.features
  const list = useQuery(connectionsQuery(api))
  const used = list.data?.items.length ?? 0
  const isFull = used >= MOST
  const add = (
    <AddButton to="connections/new" isOff={!isInPlan || isFull}>
      {t('new')}
    </AddButton>
  )
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={
        <>
          <PageButton to="connections/calls">{t('call_log')}</PageButton>
          {used > 0 && add}
        </>
      }
      above={
        <>
          {!isInPlan && (
            <Banner tone="off" title={t('not_in_plan')}>
              {t('not_in_plan_why')}
            </Banner>
          )}
          {isInPlan && isFull && <Banner tone="warn" title={t('all_used', { n: MOST })} />}
        </>
      }
      find={used > 0 && <span className={layout.help}>{t('calls_count')}</span>}
      end={used > 0 && t('used_of', { n: used, limit: MOST })}
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('connections/$connection', { connection: id })}
      empty={
        <Empty title={t('none')} act={add}>
          {t('none_why')}
        </Empty>
      }
    />
  )
}

function useColumns(): Column<ConnectionView>[] {
  const t = useWords(connectionsWords)
  const api = useApi()
  const format = useFormat()
  const users = useQuery(api.get('connection-users')).data?.items
  const figures = useQuery(connectionFiguresQuery(api)).data?.items
  const figuresOf = (id: string) => figures?.find(({ connectionId }) => connectionId === id)
  return [
    {
      head: t('state'),
      cell: ({ id, isOn }) => <ConnectionPill isOn={isOn} figures={figuresOf(id)} />,
    },
    {
      head: t('name'),
      cell: ({ id, name }) => (
        <PageLink to="connections/$connection" params={{ connection: id }} named={name} />
      ),
    },
    { phone: 'line', head: t('base_url'), cell: ({ baseUrl }) => <Ltr>{baseUrl}</Ltr> },
    { phone: 'gone', head: t('credential'), cell: ({ auth }) => <Credential auth={auth} /> },
    {
      phone: 'quiet',
      head: t('used_by'),
      cell: ({ id }) => users && <UsersCount users={usersOf(users, id)} />,
    },
    {
      phone: 'quiet',
      head: t('calls_24h'),
      cell: ({ id }) => {
        const { calls, failed } = figuresOf(id) ?? { calls: 0, failed: 0 }
        if (figures === undefined) return null
        if (failed === 0) return t('calls_n', { n: calls })
        return (
          <PageLink to="connections/calls" search={{ connection: id, outcome: 'failed' }}>
            {t('calls_and_failed', {
              calls: t('calls_n', { n: calls }),
              failed: t('failed_n', { n: failed }),
            })}
          </PageLink>
        )
      },
    },
    {
      phone: 'gone',
      head: t('p95'),
      cell: ({ id }) => {
        const p95 = figuresOf(id)?.p95Ms ?? null
        return p95 !== null && format.milliseconds(p95)
      },
    },
  ]
}
