/** Erasing a contact leaves none of their words in any table. Spec: Contacts › Erasing. */
import { expect, test } from 'vitest'
import { addProposal, addReplyStep, proposalsOf } from '../support/records/assistant.ts'
import { addConversation } from '../support/records/conversations.ts'
import { tablesWith } from '../support/records/erasing.ts'
import { addFile } from '../support/records/files.ts'
import { addEntry, addHandover } from '../support/records/handovers.ts'
import { addMessage, messageOf } from '../support/records/messages.ts'
import { addRun, addRunStep, runStepsOf } from '../support/records/runs.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { openOwnedShop } from '../support/owned-shop.ts'
import { leaveReply } from '../support/replies.ts'
import { connectApi } from '../support/shop-api.ts'
import { actionRequest, ORDER } from '../connections/action-world.ts'

const WORD = 'osteoporosis'
const TALK = 'c_erased'
const TWIN = '966501230099'

const { world, shop, owner } = await openOwnedShop()
const at = `/companies/${shop.companyId}`
const make = async (name: string, phone?: string) =>
  (await owner.ask<ContactView>('POST', `${at}/contacts`, { name, phone })).body.id
const contactId = await make('Sara')
const contact = `${at}/contacts/${contactId}`
const twinId = await make(`Twin with ${WORD}`, `+${TWIN}`)
await owner.ask('POST', `${contact}/merge`, { fromId: twinId })
await owner.ask('POST', `${contact}/opt-out`)
await owner.ask('POST', `${contact}/opt-in`, { reason: `has ${WORD}` })
const runId = await writeEverywhere()

/** Writes words of a customer, or about them, to every other place that stores such words. */
async function writeEverywhere(): Promise<string> {
  const { companyId, channelId } = shop
  const own = { companyId, conversationId: TALK }
  const name = `${WORD}.png`
  const fileId = await addFile(world, shop, { channelId, purpose: 'received', name })
  await addConversation(world, shop, { id: TALK, contactId, lastText: WORD })
  const said = { text: WORD, transcript: WORD, buttonPayload: WORD, page: WORD, fileId }
  const sent = { id: 'm_1', direction: 'in', sender: 'customer' }
  await addMessage(world, { ...own, channelId }, { ...sent, ...said })
  const why = { reason: 'customer_upset', reasonText: WORD }
  await addHandover(world, own, why)
  await addEntry(world, own, { kind: 'handed_over', text: WORD, data: JSON.stringify(why) })
  const replyId = await leaveReply(world, { ...own, messageId: 'm_1' })
  await addReplyStep(world, { companyId, replyId }, { result: WORD })
  await propose()
  // A run called the shop's API with a path that contains the customer's words.
  const now = world.clock.now()
  const ended = { status: 'completed', endedAt: now, variables: JSON.stringify({ said: WORD }) }
  const id = await addRun(world, shop, { conversationId: TALK, ...ended })
  const made = { method: 'GET', host: 'shop.example', path: `/of/${WORD}`, attempts: 1 }
  const step = { stepId: 'ask', kind: 'http_request', status: 'done', endedAt: now }
  await addRunStep(world, { runId: id, companyId }, { ...step, call: JSON.stringify(made) })
  return id
}

/** Makes one proposal that is a draft, and one that has been carried out. */
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
  const of = { companyId, conversationId: TALK, actionId: action.body.id }
  const now = clock.now()
  await addProposal(world, of, words)
  await addProposal(world, of, { ...words, state: 'done', startedAt: now, endedAt: now })
}

test("Erasing removes the customer's words from every table that stores them", async () => {
  expect(await tablesWith(world, WORD)).toEqual([
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
  expect(await tablesWith(world, WORD)).toEqual([])
  expect(await tablesWith(world, TWIN)).toEqual([])
  // The rows stay: the proposal that was carried out, and the id of the merged contact with its
  // target.
  const twin = await owner.ask<ContactView>('GET', `${at}/contacts/${twinId}`)
  expect(twin.body).toMatchObject({ id: contactId, name: null })
  expect(await proposalsOf(world, { conversationId: TALK })).toMatchObject([{ state: 'done' }])
  const [{ call } = { call: null }] = await runStepsOf(world, runId)
  const made = { method: 'GET', host: 'shop.example', path: '', attempts: 1 }
  expect(JSON.parse(call!)).toEqual(made)
  expect(await messageOf(world, 'm_1')).toMatchObject({ fileId: null })
})
