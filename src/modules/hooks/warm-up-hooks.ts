/**
 * Prepares a process for its first hook requests: a connection plans each statement when it first runs it, and a
 * function is compiled when it is first called. Without this, the first requests after a start take a third of a second.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { FlowDefinition } from '../../contract/flow-definition.ts'
import type { Context } from '../../infra/context.ts'
import { raiseEvents } from '../events/raise-event.ts'
import { lockCandidates, lookupOf } from './accept-batch.ts'
import { checkHook, type AdmittedRequest } from './check-request.ts'
import { countRequests, type CountedHook } from './count-requests.sql.ts'
import { loadExisting } from './load-existing.sql.ts'
import { planBatch } from './plan-batch.ts'
import { writeAccepted } from './write-accepted.sql.ts'

/**
 * Checks and plans a made-up request of a company that does not exist, and runs the statements of a batch on this many
 * connections. The statements find and write nothing, and their transactions are rolled back.
 * @throws errors of the database
 */
export async function warmUpHooks(
  { db, ids, clock }: Pick<Context, 'db' | 'ids' | 'clock'>,
  connections: number,
): Promise<void> {
  const now = clock.now()
  const runBatch = async (client: pg.PoolClient) => {
    // Another customer for each batch, so that no connection waits for the locks of another.
    const candidate = checkMadeUpRequest(ids.uuid())
    await client.query(lockCandidates([candidate]))
    await countRequests(client, new Map([['', { tokenHash: randomBytes(32), count: 1 }]]), now)
    const known = await loadExisting(client, [lookupOf(candidate)], now)
    const { events } = planBatch({ ids, now }, [candidate], known)
    await writeAccepted(db.kysely, client, NOTHING, now)
    // An event of a company without endpoints is not written.
    await raiseEvents(client, { ids, now }, events)
    await client.query('rollback')
  }
  const warmUpOne = async () => {
    const client = await db.pool.connect()
    let isFit = false
    try {
      for (let nth = 0; nth < ROUNDS; nth += 1) await runBatch(client)
      isFit = true
    } finally {
      client.release(!isFit)
    }
  }
  await Promise.all(Array.from({ length: connections }, warmUpOne))
}

/** PostgreSQL plans a prepared statement again for each of its first five executions on a connection. */
const ROUNDS = 6
const NOTHING = {
  resolved: { contacts: [], identities: [], identifiers: [], conversations: [] },
  runs: [],
  shapes: [],
}

/** Returns what the checks make of a made-up request; `id` stands for all rows that it would belong to. */
function checkMadeUpRequest(id: string): AdmittedRequest {
  const hook: CountedHook = {
    hookId: id,
    company: { id, name: null },
    accountId: id,
    plan: 'business',
    hold: null,
    templatesPerDay: null,
    flow: { id, isOn: true, publishedVersionId: id, publishedBefore: 0 },
    channel: { id, type: 'whatsapp', isConnected: true, country: 'SA' },
    urlRequests: 1,
    companyRequests: 1,
  }
  const definition = {
    trigger: {
      kind: 'webhook',
      phonePath: 'customer.phone',
      namePath: 'customer.name',
      languagePath: null,
      keep: [],
    },
  } as unknown as FlowDefinition
  const body = Buffer.from('{"customer":{"name":"سارة","phone":"+966501234567"}}')
  const { result } = checkHook(
    { token: '', idempotencyKey: 'warm-up', body },
    { isPaused: false, hook, urlRequest: 1, companyRequest: 1, definition },
  )
  if ('status' in result) throw new Error(`the made-up request was refused: ${result.status}`)
  return result
}
