import { sql } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ConnectionUsers } from '../../contract/dashboard/connection.ts'
import { ACTION_LIMITS } from '../../core/limits/calls.ts'

type Found = { connectionId: string; id: string; name: string; isPublished: boolean }

/**
 * Returns the users of each connection: flows whose draft or published version has a step with it, and AI
 * actions. Unused connections are omitted. Spec: Calls › Connections.
 */
export async function listConnectionUsers(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: ConnectionUsers[] }> {
  // A definition is JSON text, which contains the id unchanged.
  const { rows: flows } = await sql<Found>`
    select connection.id as connection_id, flow.id, flow.name,
      bool_or(version.id = flow.published_version_id) as is_published
    from api_connection connection
      join flow on flow.company_id = connection.company_id and flow.deleted_at is null
      join flow_version version on version.flow_id = flow.id
        and (version.id = flow.published_version_id or version.published_at is null)
        and strpos(version.definition, connection.id::text) > 0
    where connection.company_id = ${companyId} and connection.deleted_at is null
    group by connection.id, flow.id
    order by flow.id`.execute(db.kysely)
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
  for (const { connectionId, ...flow } of flows) usersOf(connectionId).flows.push(flow)
  for (const { connectionId, ...action } of actions) usersOf(connectionId).actions.push(action)
  return { items: [...users.values()] }
}
