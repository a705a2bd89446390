import { pageOf } from '../../infra/database/page-of.ts'
import type { Kysely, Selectable } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { ConnectionView } from '../../contract/dashboard/connection.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { ApiConnection, DB } from '../../infra/database/tables.ts'
import { SECOND_MS } from '../../core/limits/units.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'

/** The id of a connection with the id of its company. */
export type OwnedConnection = { companyId: string; connectionId: string }

/** A row of the table of connections. */
export type ConnectionRow = Selectable<ApiConnection>

/** Returns a page of the company's connections, oldest first. */
export async function listConnections(
  { db }: Pick<Context, 'db'>,
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<ConnectionView>> {
  const rows = await pageOf(
    db.kysely
      .selectFrom('apiConnection')
      .selectAll()
      .where('companyId', '=', companyId)
      .where('deletedAt', 'is', null),
    { limit, cursor },
    ['id', 'oldest'],
  ).execute()
  return toPage(rows, limit, viewConnection)
}

/** Returns one connection. @throws not_found */
export async function showConnection(
  { db }: Pick<Context, 'db'>,
  owned: OwnedConnection,
): Promise<ConnectionView> {
  return viewConnection(await loadOwnedConnection(db.kysely, owned))
}

/** Loads a connection that is not deleted. @throws not_found */
export async function loadOwnedConnection(
  db: Kysely<DB>,
  { companyId, connectionId }: OwnedConnection,
): Promise<ConnectionRow> {
  return db
    .selectFrom('apiConnection')
    .selectAll()
    .where('id', '=', connectionId)
    .where('companyId', '=', companyId)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_connection')))
}

/** Locks a connection until the transaction ends, and returns it. @throws not_found */
export async function lockConnection(
  tx: Kysely<DB>,
  owned: OwnedConnection,
): Promise<ConnectionRow> {
  // An update lock: saving a step or an action locks the connection in share mode.
  await tx
    .selectFrom('apiConnection')
    .select('id')
    .where('id', '=', owned.connectionId)
    .where('companyId', '=', owned.companyId)
    .forNoKeyUpdate()
    .execute()
  return loadOwnedConnection(tx, owned)
}

/** Converts a row to the dashboard's view of a connection, without its credential. */
export function viewConnection(row: ConnectionRow): ConnectionView {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.baseUrl,
    auth: {
      kind: row.authKind as ConnectionAuthKind,
      name: row.authName,
      lastFour: row.credentialLastFour,
    },
    headers: JSON.parse(row.headers) as ConnectionView['headers'],
    timeoutSeconds: row.timeoutMs / SECOND_MS,
    isOn: row.isOn,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
