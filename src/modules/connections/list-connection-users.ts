import type { Context } from '../../infra/context.ts'
import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'
import { searchDefinitions } from './search-definitions.sql.ts'

/**
 * Returns the users of each connection: flows whose draft or published version has a step with it, and AI
 * actions. Unused connections are omitted. Spec: Calls › Connections.
 */
export async function listConnectionUsers(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: ConnectionUsers[] }> {
  const connections = await db.kysely
    .selectFrom('apiConnection')
    .select('id')
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .execute()
  const ids = connections.map(({ id }) => id)
  const found = await searchDefinitions(db.kysely, { companyId, texts: ids })
  const actions = await db.kysely
    .selectFrom('aiAction')
    .select(['connectionId', 'id', 'toolName', 'isOn'])
    .where('companyId', '=', companyId)
    .orderBy('toolName')
    .limit(ACTION_LIMITS.perCompany)
    .execute()
  const users = new Map<string, ConnectionUsers>()
  const usersOf = (connectionId: string) => {
    const known = users.get(connectionId) ?? { connectionId, flows: [], actions: [] }
    users.set(connectionId, known)
    return known
  }
  for (const { flowId: id, name, isDraft, texts } of found) {
    for (const connectionId of texts) {
      const { flows } = usersOf(connectionId)
      // The published version of a flow precedes its draft.
      if (flows.at(-1)?.id !== id) flows.push({ id, name, isPublished: !isDraft })
    }
  }
  for (const { connectionId, ...action } of actions) usersOf(connectionId).actions.push(action)
  return { items: [...users.values()] }
}
