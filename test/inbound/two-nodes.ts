/** Concurrent acts for one customer on two nodes of the service, and their outcome. */
import { transaction } from '../../src/infra/database/transaction.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { cancelRuns } from '../../src/modules/flows/runs/cancel-runs.sql.ts'
import { BURST_LIMITS } from '../../src/core/limits/messaging.ts'
import { transitionConversations } from '../../src/modules/messaging/transition-conversations.ts'
import { buttonPayload } from '../../src/rules/flows/button-payload.ts'
import { isStaffHandling } from '../../src/rules/messaging/take-over.ts'
import { conversationOf, sentByHand, type Built } from '../conformance/routing-setup.ts'
import { countBlockedBy, pidOf } from '../support/blocked.ts'
import { apiRequest, signedIn } from '../support/dashboard.ts'
import { waitUntil } from '../support/wait.ts'
import { eventsOf } from '../support/records/events.ts'
import { entriesOf } from '../support/records/handovers.ts'
import { messagesOf } from '../support/records/messages.ts'
import { putRun, runsOf } from '../support/records/runs.ts'
import {
  customerWrites,
  echoed,
  newWamid,
  postChanges,
  type Written,
} from '../support/whatsapp-webhook.ts'
import type { World } from '../support/world.ts'

const now = (node: World) => node.service.context.clock.now()

/** An act on one of the nodes. */
export type Act = (built: Built, node: World) => Promise<unknown>

/** Returns an act: the customer writes. */
export const says =
  (text: string, content: { id?: string } = {}): Act =>
  (built, node) =>
    deliver(built, node, { text, ...content })
/** Returns an act: the customer taps a button of a run's question, or of a template that a member sent. */
export const taps =
  (what: { run: string } | { template: string }, text = 'Yes'): Act =>
  async (built, node) => {
    const { quotes, payload } = await pointTo(built, node, what)
    const content = { type: 'button', button: { payload: payload ?? text, text } }
    return deliver(built, node, { quotes, content })
  }
export const ownerEchoes: Act = ({ shop, phone }, node) =>
  postChanges(node, shop, echoed({ to: phone.slice(1), at: now(node) }))

async function deliver({ shop, phone }: Built, node: World, message: Written): Promise<void> {
  await customerWrites(node, shop, { from: phone, at: now(node), ...message })
}

async function pointTo(built: Built, node: World, what: { run: string } | { template: string }) {
  if ('template' in what) {
    const found = await providerId(node, 'templateName', what.template, built)
    return { quotes: found ?? (await sentByHand({ world: node }, built, what.template)) }
  }
  const runId = built.runIds.get(what.run)!
  const quotes = (await providerId(node, 'runId', runId, built))!
  return { quotes, payload: buttonPayload({ runId, stepId: 'q1', option: 0 }) }
}

const providerId = async (
  node: World,
  by: 'runId' | 'templateName',
  value: string,
  { shop }: Built,
) => {
  const messages = await messagesOf(node, { companyId: shop.companyId })
  return messages.find((message) => message[by] === value)?.providerMessageId
}

/** Sends a member's request to a node, by its path in the company. */
async function asks(built: Built, node: World, at: string, json?: unknown) {
  const { accountId, companyId } = built.shop
  const { token } = await signedIn(node, { accountId })
  return apiRequest(node.url, 'POST', `/companies/${companyId}${at}`, {
    json,
    headers: { authorization: `Bearer ${token}` },
  })
}

/** Returns an act of a member on the conversation. */
const member =
  (what: string, json?: (turn: number) => unknown): Act =>
  async (built, node) => {
    const { id, turn } = (await conversationOf(node, built))!
    return asks(built, node, `/conversations/${encodeURIComponent(id)}/${what}`, json?.(turn))
  }
/** Takes over with the turn that the member sees now: a message of the customer meanwhile makes it stale. */
export const takesOver = member('take-over', (turn) => ({ turn: turn + 1 }))
export const replies = member('messages', () => ({ key: newWamid(), text: 'I am here' }))
export const givesBack = member('give-back')
export const resolves = member('resolve')
export const toContact =
  (what: 'opt-in' | 'opt-out'): Act =>
  async (built, node) => {
    const { contactId } = (await conversationOf(node, built))!
    const json = what === 'opt-in' ? { reason: 'They asked for it' } : undefined
    return asks(built, node, `/contacts/${contactId}/${what}`, json)
  }
export const cancels =
  (flow: string): Act =>
  (built, node) =>
    asks(built, node, `/runs/${built.runIds.get(flow)}/cancel`)
/** Hands the conversation over as a flow does that runs on that node. */
export const handsOver: Act = async (built, node) => {
  const { id } = (await conversationOf(node, built))!
  const { db, ids } = node.service.context
  const at = now(node)
  const change = { kind: 'hand_over', reason: 'flow_handover', reasonText: null } as const
  const by = { kind: 'service' } as const
  const { companyId } = built.shop
  await transaction(db, async (tx) => {
    await transitionConversations(tx, { ids, now: at }, [
      { companyId, conversationId: id, by, change },
    ])
    await cancelRuns(tx, at, { conversationIds: [id] }, fact('staff_handling'))
  })
}
/** Lets the workers of a node process what is due. */
export const works: Act = (_, node) => node.service.processAll()

/** Writes one text less than a person may write in a minute. */
export const wroteALot: Act = async (built, node) => {
  for (let nth = 1; nth < BURST_LIMITS.textsInMinute; nth += 1) {
    await says(`text ${nth}`)(built, node)
  }
  await givesBack(built, node)
}
/** Lets a run wait until its time-out. */
export const waitIsOver: Act = async ({ shop }, node) => {
  for (const { id } of await runsOf(node, { companyId: shop.companyId })) {
    await putRun(node, id, { waitUntil: now(node), dueAt: now(node) })
  }
}

/** Sends a request of the merchant's server for a flow. */
export const orders: Act = ({ shop, phone }) => shop.order(phone)

/** Tables in which every act writes, late in its transaction. */
const HELD = 'event, conversation_entry, flow_run, run_queue, audit'

/**
 * Runs two concurrent acts, each on its node. The first is in the middle of its transaction when the second
 * begins, and continues when that waits too.
 */
export async function atOnce(
  built: Built,
  [node, other]: readonly [World, World],
  [first, second]: readonly [Act, Act],
  held = HELD,
): Promise<void> {
  const { pool } = node.database.db
  const holder = await pool.connect()
  const holderPid = await pidOf(holder)
  const waiting = () => countBlockedBy(pool, holderPid)
  try {
    await holder.query(`begin; lock table ${held} in share mode`)
    const one = first(built, node)
    await waitUntil('the first waits', async () => (await waiting()) === 1)
    const two = second(built, other)
    // A worker skips locked rows, and tries again later.
    if (second !== works) await waitUntil('the second waits', async () => (await waiting()) === 2)
    await holder.query('commit')
    await Promise.all([one, two])
  } finally {
    // A test that fails leaves no transaction waiting.
    await holder.query('rollback')
    holder.release()
  }
}

/** Returns the outcome: each run and its state, who has the conversation, and the events. */
export async function outcome(
  node: World,
  built: Built,
  seen?: ReadonlySet<string>,
): Promise<string> {
  const { companyId } = built.shop
  const names = new Map([...built.flowIds].map(([name, id]) => [id, name]))
  const runs = await runsOf(node, { companyId })
  const conversation = (await conversationOf(node, built))!
  const kept = (await entriesOf(node, conversation.id))
    .filter(({ kind }) => kind === 'flow_kept_out')
    .map(({ data }) => `not ${(data as { flow: { name: string } }).flow.name}`)
  const events = (await eventsOf(node, { companyId })).filter(({ id }) => !seen?.has(id))
  const isStaffs = isStaffHandling(conversation, now(node))
  return [
    ...runs
      .map(
        ({ flowId, status, endReason }) => `${names.get(flowId) ?? 'hook'} ${endReason ?? status}`,
      )
      .toSorted(),
    ...kept,
    `${conversation.status === 'open' ? '' : 'resolved '}${isStaffs ? 'staff' : 'assistant'}${conversation.needsStaff ? '!' : ''}`,
    ...events
      .map(({ type }) => type)
      .filter((type) => type !== 'message.received')
      .toSorted(),
  ].join(', ')
}
