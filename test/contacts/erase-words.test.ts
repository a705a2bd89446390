/** Of an erased contact no word is left in any table, wherever it was written down. Spec: Contacts › Erasing. */
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { leaveReply } from '../support/replies.ts'
import { connectApi } from '../support/shop-api.ts'
import { createShop } from '../support/shop.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'

const WORD = 'osteoporosis'
const TALK = 'c_erased'

let contactId: string
const world = await openWorld()
const shop = await createShop(world)
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}`
beforeAll(async () => {
  const make = async (name: string, phone?: string) =>
    (await owner.ask<ContactView>('POST', `${at}/contacts`, { name, phone })).body.id
  contactId = await make('Sara')
  const contact = `${at}/contacts/${contactId}`
  await owner.ask('POST', `${contact}/merge`, {
    fromId: await make(`Twin with ${WORD}`, '+966501230099'),
  })
  await owner.ask('POST', `${contact}/opt-out`)
  await owner.ask('POST', `${contact}/opt-in`, { reason: `has ${WORD}` })
  await writeEverywhere()
})

/** Where else words of a customer, or about them, are written down. */
async function writeEverywhere() {
  const { ids, clock } = world.service.context
  const { kysely } = world.database.db
  const { companyId, channelId } = shop
  const now = clock.now()
  const own = { companyId, conversationId: TALK }
  const file = { id: ids.uuid(), companyId, channelId, purpose: 'received', createdAt: now }
  const kept = { name: `${WORD}.png`, state: 'kept', mediaType: 'image/png', size: 1 }
  await kysely
    .insertInto('file')
    .values({ ...file, ...kept, sha256: Buffer.alloc(32) })
    .execute()
  await kysely
    .insertInto('conversation')
    .values({
      id: TALK,
      companyId,
      channelId,
      channelType: 'whatsapp',
      contactId,
      filedUnder: '1',
      createdAt: now,
      lastText: WORD,
    })
    .execute()
  const said = { text: WORD, transcript: WORD, buttonPayload: WORD, page: WORD, fileId: file.id }
  await kysely
    .insertInto('message')
    .values({
      id: 'm_1',
      ...own,
      channelId,
      direction: 'in',
      sender: 'customer',
      type: 'text',
      occurredAt: now,
      createdAt: now,
      ...said,
    })
    .execute()
  await kysely
    .insertInto('handover')
    .values({ id: ids.uuid(), ...own, reason: 'customer_upset', reasonText: WORD, openedAt: now })
    .execute()
  const line = { kind: 'handed_over', actorKind: 'assistant', at: now, text: WORD }
  const data = JSON.stringify({ reason: 'customer_upset', reasonText: WORD })
  await kysely
    .insertInto('conversationEntry')
    .values({ id: ids.uuid(), ...own, ...line, data })
    .execute()
  const replyId = await leaveReply(world, { ...own, messageId: 'm_1' })
  const step = { replyId, companyId, epoch: 1, number: 1, kind: 'model', state: 'done' }
  await kysely
    .insertInto('assistantStep')
    .values({ ...step, told: WORD, startedAt: now })
    .execute()
  await call()
  await propose()
}

/** A run that has called the shop's API, its path filled with what the customer said. */
async function call() {
  const { ids, clock } = world.service.context
  const { companyId, channelId, flowId, versionId: flowVersionId } = shop
  const now = clock.now()
  const run = { id: ids.uuid(), companyId, channelId, flowId, flowVersionId, conversationId: TALK }
  const ended = { status: 'completed', createdAt: now, endedAt: now }
  const variables = JSON.stringify({ said: WORD })
  const { kysely } = world.database.db
  await kysely
    .insertInto('flowRun')
    .values({ ...run, ...ended, triggerKind: 'manual', variables })
    .execute()
  const made = { method: 'GET', host: 'shop.example', path: `/of/${WORD}`, attempts: 1 }
  const step = { runId: run.id, companyId, number: 1, stepId: 'ask', kind: 'http_request' }
  await kysely
    .insertInto('flowRunStep')
    .values({ ...step, status: 'done', startedAt: now, endedAt: now, call: JSON.stringify(made) })
    .execute()
}

/** One that is drafted, and one that has been carried out. */
async function propose() {
  const { ids, clock } = world.service.context
  const { companyId } = shop
  const connectionId = ids.uuid()
  await connectApi(world, { id: connectionId, companyId, baseUrl: 'https://shop.example/api' })
  const action = await owner.ask<{ id: string }>('POST', `${at}/actions`, {
    toolName: 'cancel_order',
    description: 'Cancels an order.',
    request: actionRequest(connectionId),
    parameters: [ORDER],
  })
  const words = { arguments: JSON.stringify({ why: WORD }), identity: WORD }
  const of = { companyId, conversationId: TALK, actionId: action.body.id, revision: 1 }
  const now = clock.now()
  const own = { ...of, draftedBy: 'assistant', createdAt: now, ...words }
  await world.database.db.kysely
    .insertInto('actionProposal')
    .values([
      { id: ids.uuid(), ...own, state: 'drafted' },
      { id: ids.uuid(), ...own, state: 'done', startedAt: now, endedAt: now },
    ])
    .execute()
}

/** The tables that have the word; bodies of events are no text. */
async function tablesWithWord(): Promise<string[]> {
  const { kysely } = world.database.db
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(kysely)
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql`select 1 from ${sql.table(name)} row
      where row::text like ${`%${WORD}%`} limit 1`.execute(kysely)
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('Erasing takes the words out of messages, files, handovers, lines, replies, runs, proposals and merges', async () => {
  expect(await tablesWithWord()).toEqual([
    'action_proposal',
    'assistant_step',
    'audit',
    'contact_merge',
    'conversation',
    'conversation_entry',
    'file',
    'flow_run',
    'flow_run_step',
    'handover',
    'message',
    'opt_out_change',
  ])
  const erased = await owner.ask('POST', `${at}/contacts/${contactId}/erase`, { confirm: true })
  expect(erased.status).toBe(200)
  await world.service.processAll()
  expect(await tablesWithWord()).toEqual([])
  // The rows stay: what was carried out, too.
  const { kysely } = world.database.db
  const merges = await kysely.selectFrom('contactMerge').select(['phone', 'snapshot']).execute()
  expect(merges).toEqual([{ phone: null, snapshot: '{}' }])
  const states = await kysely.selectFrom('actionProposal').select('state').execute()
  expect(states).toEqual([{ state: 'done' }])
  const steps = await kysely.selectFrom('flowRunStep').select('call').execute()
  expect(steps.map((row) => JSON.parse(row.call!) as object)).toEqual([
    { method: 'GET', host: 'shop.example', path: '', attempts: 1 },
  ])
  const { fileId } = await kysely.selectFrom('message').select('fileId').executeTakeFirstOrThrow()
  expect(fileId).toBeNull()
})
