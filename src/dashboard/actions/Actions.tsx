import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useGo } from '../app/pages.ts'
import type { ActionView } from '../../contract/dashboard/action.ts'
import { ACTION_LIMITS } from '../../limits/calls.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { connectionsQuery } from '../connections/queries.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { ListTable, Toolbar, type Column } from '../parts/List.tsx'
import { Banner, Empty, PageHeader } from '../parts/Page.tsx'
import { PageLink } from '../parts/PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import { ActionPill } from './ActionPill.tsx'
import { actionsQuery } from './queries.ts'
import { actionsWords } from './words.ts'

const MOST = ACTION_LIMITS.perCompany

export function Actions() {
  const t = useWords(actionsWords)
  const api = useApi()
  const go = useGo()
  const { developer: isInPlan } = useSession().account.features
  const list = useQuery(actionsQuery(api))
  const connections = useQuery(connectionsQuery(api)).data?.items
  const items = list.data?.items ?? []
  const isFull = items.length >= MOST
  const add = (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" />}
      disabled={!isInPlan || isFull}
      renderRoot={(props) =>
        isInPlan && !isFull ? (
          <PageLink to="actions/new" {...props} />
        ) : (
          <button type="button" {...props} />
        )
      }
    >
      {t('new')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} acts={items.length > 0 && add} />
      {!isInPlan && (
        <Banner tone="off" title={t('not_in_plan')}>
          {t('not_in_plan_why')}
        </Banner>
      )}
      {isInPlan && isFull && <Banner tone="warn" title={t('all_used', { n: MOST })} />}
      {items.length > 0 && (
        <Toolbar end={t('used_of', { n: items.length, limit: MOST })}>{null}</Toolbar>
      )}
      <ListTable
        label={t('title')}
        list={list}
        items={items}
        columns={useColumns()}
        onOpen={({ id }) => void go('actions/$action', { action: id })}
        empty={
          connections?.length === 0 ? (
            <Empty
              title={t('no_connection')}
              act={
                <Button renderRoot={(props) => <PageLink to="connections/new" {...props} />}>
                  {t('new_connection')}
                </Button>
              }
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
    </>
  )
}

function useColumns(): Column<ActionView>[] {
  const t = useWords(actionsWords)
  return [
    { key: 'state', head: t('state'), cell: (action) => <ActionPill action={action} /> },
    {
      key: 'tool',
      head: t('tool'),
      cell: ({ id, name }) => (
        <PageLink to="actions/$action" params={{ action: id }}>
          <Ltr>{name}</Ltr>
        </PageLink>
      ),
    },
    {
      key: 'description',
      head: t('description'),
      cell: ({ description }) => <bdi>{description}</bdi>,
    },
    {
      key: 'request',
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
      key: 'confirms',
      head: t('confirms'),
      cell: ({ needsConfirmation }) => t(needsConfirmation ? 'asks_first' : 'asks_not'),
    },
  ]
}
