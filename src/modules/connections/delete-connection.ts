import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { searchDefinitions } from './search-definitions.sql.ts'
import { lockConnection, type OwnedConnection } from './view-connection.ts'

/** The maximum number of flows, and of actions, that a refusal names. */
const NAMED = 20

/**
 * Marks a connection as deleted and wipes its credential and headers; the log of its calls stays.
 * @throws not_found; conflict, with the users, while a step of a draft or published version, or an action, uses it.
 * Spec: Calls › Connections.
 */
export async function deleteConnection(
  { db, ids, clock }: Context,
  actor: Actor,
  owned: OwnedConnection,
): Promise<void> {
  const { companyId, connectionId } = owned
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const { name } = await lockConnection(tx, owned)
    const flows = await flowsWith(tx, owned)
    const actions = await actionsWith(tx, owned)
    if (flows.names.length + actions.names.length > 0) {
      const used = { flows: flows.names, actions: actions.names, more: flows.more + actions.more }
      throw new ServiceError('conflict', fact('connection_in_use', used))
    }
    await tx
      .updateTable('apiConnection')
      .set({
        deletedAt: now,
        isOn: false,
        credential: null,
        credentialLastFour: null,
        headers: '[]',
        updatedAt: now,
      })
      .where('id', '=', connectionId)
      .where('companyId', '=', companyId)
      .execute()
    await audit('connection.deleted', { id: connectionId, companyId }, { name })
  })
}

/** The names of users of a connection, up to a limit, and the number of the others. */
type Users = { names: string[]; more: number }

async function flowsWith(
  tx: Transaction<DB>,
  { companyId, connectionId }: OwnedConnection,
): Promise<Users> {
  const found = await searchDefinitions(tx, { companyId, texts: [connectionId] })
  const names = [...new Map(found.map(({ flowId, name }) => [flowId, name])).values()]
  return { names: names.slice(0, NAMED), more: Math.max(0, names.length - NAMED) }
}

async function actionsWith(tx: Transaction<DB>, owned: OwnedConnection): Promise<Users> {
  const rows = await tx
    .selectFrom('aiAction')
    .select(['toolName as name', sql<number>`(count(*) over ())::int`.as('total')])
    .where('companyId', '=', owned.companyId)
    .where('connectionId', '=', owned.connectionId)
    .orderBy('toolName')
    .limit(NAMED)
    .execute()
  return { names: rows.map(({ name }) => name), more: (rows[0]?.total ?? 0) - rows.length }
}
