import { useQuery } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import type { ActionView } from '../../contract/dashboard/action.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { connectionsQuery } from '../connections/queries.ts'
import { Ltr } from '../parts/Code.tsx'
import { type Column } from '../parts/ListTable.tsx'
import { Banner, Empty } from '../parts/Page.tsx'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import { ActionPill } from './ActionPill.tsx'
import { actionsQuery } from './queries.ts'
import { ListPage } from '../parts/ListPage.tsx'
import { AddButton } from '../parts/AddButton.tsx'
import { actionsWords } from './words.ts'

const MOST = ACTION_LIMITS.perCompany

/** The page that lists the AI actions: calls to the merchant's API that the assistant may make. */
export function Actions() {
  const t = useWords(actionsWords)
  const api = useApi()
  const go = useGo()
  const { developer: isInPlan } = useSession().account.features
  const list = useQuery(actionsQuery(api))
  const connections = useQuery(connectionsQuery(api)).data?.items
  const used = list.data?.items.length ?? 0
  const isFull = used >= MOST
  const add = (
    <AddButton to="actions/new" isOff={!isInPlan || isFull}>
      {t('new')}
    </AddButton>
  )
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      acts={used > 0 && add}
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
      end={used > 0 && t('used_of', { n: used, limit: MOST })}
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => void go('actions/$action', { action: id })}
      empty={
        connections?.length === 0 ? (
          <Empty
            title={t('no_connection')}
            act={<PageButton to="connections/new">{t('new_connection')}</PageButton>}
          >
            {t('no_connection_why')}
          </Empty>
        ) : (
          <Empty title={t('none')} act={add}>
            {t('none_why')}
          </Empty>
        )
      }
    />
  )
}

function useColumns(): Column<ActionView>[] {
  const t = useWords(actionsWords)
  return [
    { head: t('state'), cell: (action) => <ActionPill action={action} /> },
    {
      head: t('tool'),
      cell: ({ id, name }) => (
        <PageLink to="actions/$action" params={{ action: id }}>
          <Ltr>{name}</Ltr>
        </PageLink>
      ),
    },
    { head: t('description'), cell: ({ description }) => <bdi>{description}</bdi> },
    {
      head: t('request'),
      cell: ({ request, connection }) => (
        <>
          <Ltr>
            {request.method} {request.path}
          </Ltr>{' '}
          <bdi>{connection.name}</bdi>
        </>
      ),
    },
    {
      head: t('confirms'),
      cell: ({ needsConfirmation }) => t(needsConfirmation ? 'asks_first' : 'asks_not'),
    },
  ]
}
