/**
 * The demonstration's second flow: a hook starts it, and it requests the state of an order from the shop's API and
 * sends it to the customer. It is created once, with its API connection; existing rows stay. If the file with its
 * token is missing, the hook URL is replaced. The connection always has the key and the port of the running API.
 */
import type { Transaction } from 'kysely'
import type { KeyRing } from '../src/infra/secrets/key-ring.ts'
import { sealCredential } from '../src/modules/connections/credential.ts'
import type { Context } from '../src/infra/context.ts'
import { FlowDefinition } from '../src/contract/flow-definition.ts'
import type { DB } from '../src/infra/database/tables.ts'
import { transaction } from '../src/infra/database/transaction.ts'
import { CALL_LIMITS } from '../src/core/limits/calls.ts'
import { readLine, writePrivately, type DemonstrationFiles } from './files.ts'
import { writeFlow, writeHookUrl } from './write-flow.ts'

/** The id of the connection to the shop's API. */
export const CONNECTION_ID = 'de300000-0000-4000-8000-000000000010'
const ORDER_STATUS = {
  flowId: 'de300000-0000-4000-8000-000000000011',
  versionId: 'de300000-0000-4000-8000-000000000012',
  hookUrlId: 'de300000-0000-4000-8000-000000000013',
  name: 'How does my order stand?',
}

/** The name of the template that tells the state of an order. */
export const STATUS_TEMPLATE_NAME = 'order_status'

const flowOn = (channelId: string): FlowDefinition =>
  FlowDefinition.parse({
    channelId,
    trigger: {
      kind: 'webhook',
      phonePath: 'customer.phone',
      namePath: 'customer.name',
      languagePath: 'customer.language',
      keep: [{ name: 'order', path: 'order.number' }],
    },
    start: 'look',
    steps: {
      look: {
        kind: 'http_request',
        request: {
          connectionId: CONNECTION_ID,
          method: 'GET',
          path: '/orders/{{vars.order}}',
          query: [],
          headers: [],
          body: null,
        },
        keep: [{ name: 'status', path: 'order.status' }],
        next: 'tell',
        onFailure: 'unknown',
      },
      unknown: {
        kind: 'set_variable',
        name: 'status',
        text: 'being looked into by our team',
        next: 'tell',
      },
      tell: {
        kind: 'send_template',
        template: STATUS_TEMPLATE_NAME,
        language: 'ar',
        header: null,
        body: [
          { name: '1', text: '{{contact.name}}' },
          { name: '2', text: '{{vars.order}}' },
          { name: '3', text: '{{vars.status}}' },
        ],
        next: null,
      },
    },
  })

type Of = { companyId: string; channelId: string; apiPort: number }

/** Creates the flow and its connection unless they exist. Returns the token of its hook URL. */
export async function createOrderStatus(
  { db, ids, clock, keyRing }: Pick<Context, 'db' | 'ids' | 'clock'> & { keyRing: KeyRing },
  files: DemonstrationFiles,
  { companyId, channelId, apiPort }: Of,
): Promise<{ statusHookToken: string }> {
  const now = clock.now()
  const known = readLine(files.statusTokenFile)
  const rows = { ...ORDER_STATUS, companyId }
  const made = await transaction(db, async (tx) => {
    const apiKey = readLine(files.apiKeyFile)!
    const isNew = await writeConnection(tx, { keyRing, now }, { companyId, apiPort, apiKey })
    if (isNew) await writeFlow(tx, now, rows, flowOn(channelId))
    if (!isNew && known !== null) return null
    const token = `hook_${ids.token(32)}`
    await writeHookUrl(tx, now, rows, token)
    return token
  })
  if (made) writePrivately(files.statusTokenFile, made)
  return { statusHookToken: made ?? known! }
}

/** Creates the connection, or updates the existing one. Returns true if it is new. */
async function writeConnection(
  tx: Transaction<DB>,
  { keyRing, now }: { keyRing: KeyRing; now: Date },
  { companyId, apiPort, apiKey }: { companyId: string; apiPort: number; apiKey: string },
): Promise<boolean> {
  const owner = { id: CONNECTION_ID, companyId }
  const columns = {
    baseUrl: `https://127.0.0.1:${apiPort}/api`,
    ...sealCredential(keyRing, owner, { token: apiKey }),
    updatedAt: now,
  }
  const { numUpdatedRows } = await tx
    .updateTable('apiConnection')
    .set(columns)
    .where('id', '=', CONNECTION_ID)
    .where('companyId', '=', companyId)
    .where('authKind', '=', 'bearer')
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return false
  const inserted = await tx
    .insertInto('apiConnection')
    .values({
      ...owner,
      ...columns,
      name: "The shop's API",
      authKind: 'bearer',
      timeoutMs: CALL_LIMITS.timeoutDefaultMs,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}
