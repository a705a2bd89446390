import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { PageLink } from '../parts/PageLink.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import { connectionsWords } from './words.ts'

type Of = Pick<ConnectionUsers, 'flows' | 'actions'>

/** The number of flows and actions that use a connection: "2 flows, 1 action". */
export function UsersCount({ users: { flows, actions } }: { users: Of }) {
  const t = useWords(connectionsWords)
  const texts = {
    flows: t('flows_n', { n: flows.length }),
    actions: t('actions_n', { n: actions.length }),
  }
  if (flows.length === 0 && actions.length === 0) {
    return <span className={layout.muted}>{t('nobody')}</span>
  }
  if (actions.length === 0) return texts.flows
  return flows.length === 0 ? texts.actions : t('flows_and_actions', texts)
}

/** The flows and actions that use a connection, each with a link. */
export function UsersList({ users: { flows, actions } }: { users: Of }) {
  const t = useWords(connectionsWords)
  if (flows.length === 0 && actions.length === 0) return t('nobody')
  return (
    <ul className={layout.plainList}>
      {flows.map(({ id, name, isPublished }) => (
        <li key={id}>
          {t('flow')} <PageLink to="flows/$flowId" params={{ flowId: id }} named={name} />
          {!isPublished && <span className={layout.muted}> ({t('draft')})</span>}
        </li>
      ))}
      {actions.map(({ id, toolName }) => (
        <li key={id}>
          {t('action')}{' '}
          <PageLink to="actions/$action" params={{ action: id }}>
            <bdi dir="ltr">{toolName}</bdi>
          </PageLink>
        </li>
      ))}
    </ul>
  )
}
