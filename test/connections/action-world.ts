/** A shop with an API of its own, customers who write to it, and the assistant's side of its actions. */
import { expect } from 'vitest'
import { callAction, type ActionTold } from '../../src/connections/call-action.ts'
import { answerProposal, type ProposalAnswered } from '../../src/connections/answer-proposal.ts'
import { confirmProposal } from '../../src/connections/confirm-proposal.ts'
import type { CallDeps } from '../../src/connections/make-call.ts'
import { offerActions, type OfferedTool } from '../../src/connections/offer-actions.ts'
import { markStated } from '../../src/connections/mark-stated.ts'
import { writeStatement, type Statement } from '../../src/connections/write-statement.ts'
import type { ActionView, CreateAction } from '../../src/contract/dashboard/action.ts'
import { transaction } from '../../src/database/transaction.ts'
import { newMessageId } from '../../src/messaging/queue-message.ts'
import type { Language } from '../../src/vocabulary/hooks.ts'
import { createOutboundClient } from '../../src/outbound/outbound-client.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import { connectApi, startShopApi, type ShopApi } from '../support/shop-api.ts'
import { createShop, type Shop } from '../support/shop.ts'
import {
  newWamid,
  postWebhook,
  webhookOf,
  written,
  type Written,
} from '../support/whatsapp-webhook.ts'

/** What a test may say of an action; the rest is usual. */
export type ActionInput = Partial<Omit<CreateAction, 'request'>> & {
  request?: Partial<CreateAction['request']>
}

/** A customer on WhatsApp, and the assistant that answers them. */
export type Talk = {
  conversationId: string
  contactId: string
  /** The customer writes again. */
  write(text: string, at?: Date): Promise<void>
  /** As an answer to one message of the business, by its id. */
  quote(messageId: string, text: string): Promise<void>
  /** The customer taps a button of the last statement. */
  press(button: { label: string; payload: string }): Promise<void>
  /** The customer sends something else: `type` and the object of that name. */
  send(content: Record<string, unknown>): Promise<void>
  /** The business says something more, which the provider takes. Answers the message's id. */
  say(sender: string, text: string): Promise<string>
  offered(replyId?: string): Promise<OfferedTool[]>
  use(tool: string, args?: unknown, replyId?: string): Promise<ActionTold>
  /** What a draft says to the customer is sent, and the provider takes it now. Null: it was withdrawn. */
  state(drafted: ActionTold, language?: Language): Promise<Statement | null>
  /** What code makes of what the customer has said since, at the start of a reply. */
  answer(replyId?: string): Promise<ProposalAnswered>
  confirm(drafted: ActionTold, replyId?: string): Promise<ActionTold>
}

export type ActionWorld = {
  world: World
  shop: Shop
  owner: Member
  api: ShopApi
  connectionId: string
  deps: CallDeps
  /** Path of the actions in the dashboard's API. */
  actions: string
  /** Another owner, who has just signed in. */
  member(): Promise<Member>
  make(input?: ActionInput): Promise<ActionView>
  /** A customer who has just written; `phone` in digits. */
  customer(phone?: string, deps?: CallDeps): Promise<Talk>
  /** Resolves once so many statements wait for a lock that somebody else holds. */
  untilTheyWait(count: number): Promise<void>
  /** A company has at most 20 actions: those of earlier tests go, and what the API has received. */
  clear(): Promise<void>
  close(): Promise<void>
}

let numbers = 0

export async function createActionWorld(): Promise<ActionWorld> {
  const world = await createWorld({ databasePool: '8' })
  const shop = await createShop(world)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const api = await startShopApi(world)
  const { context, keyRing } = world.service
  const connectionId = context.ids.uuid()
  await connectApi(world, { id: connectionId, companyId: shop.companyId, baseUrl: api.baseUrl })
  const outbound = createOutboundClient({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowedAddress: () => true,
    extraCa: [world.receiver.certificate],
  })
  const deps: CallDeps = { ...context, keyRing, outbound }
  const actions = `/companies/${shop.companyId}/actions`
  let serial = 0
  const newName = () => `tool_${++serial}`
  const member = () => signedIn(world, { accountId: shop.accountId })
  const newReply = () => context.ids.uuid()

  return {
    world,
    shop,
    owner,
    api,
    connectionId,
    deps,
    actions,
    member,
    async make({ request, ...input } = {}) {
      // A session of its own: the test may have moved the clock by days.
      const answer = await (
        await member()
      ).ask<ActionView>('POST', actions, {
        toolName: newName(),
        description: 'Looks an order up.',
        request: actionRequest(connectionId, request),
        parameters: [ORDER],
        needsConfirmation: false,
        ...input,
      })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    async customer(phone = `96650${String(1_000_000 + ++numbers)}`, as = deps) {
      const post = async (message: Partial<Written>) => {
        const change = written({ from: phone, at: world.clock.now(), id: newWamid(), ...message })
        const status = await postWebhook(world, webhookOf(shop, [change]))
        if (status !== 200) throw new Error(`the message was answered ${status}`)
      }
      const write = (text: string, at = world.clock.now()) => post({ text, at })
      await write('hello')
      const conversation = await context.db.kysely
        .selectFrom('conversation')
        .select(['id', 'contactId'])
        .where('filedUnder', '=', phone)
        .executeTakeFirstOrThrow()
      const say = async (sender: string, text: string) => {
        const id = newMessageId(context.ids)
        const now = world.clock.now()
        await context.db.kysely
          .insertInto('message')
          .values({
            id,
            companyId: shop.companyId,
            conversationId: conversation.id,
            channelId: shop.channelId,
            direction: 'out',
            sender,
            type: 'text',
            text,
            status: 'accepted',
            occurredAt: now,
            createdAt: now,
          })
          .execute()
        return id
      }
      const reply = (replyId = newReply()) => ({
        companyId: shop.companyId,
        conversationId: conversation.id,
        replyId,
      })
      return {
        conversationId: conversation.id,
        contactId: conversation.contactId!,
        write,
        async quote(messageId, text) {
          const quotes = `wamid.${messageId}`
          await context.db.kysely
            .updateTable('message')
            .set({ providerMessageId: quotes })
            .where('id', '=', messageId)
            .execute()
          await post({ text, quotes })
        },
        press: ({ label, payload }) =>
          post({
            content: {
              type: 'interactive',
              interactive: { type: 'button_reply', button_reply: { id: payload, title: label } },
            },
          }),
        send: (content) => post({ content }),
        say,
        offered: (replyId) => offerActions(as, reply(replyId)),
        use: (tool, args = {}, replyId) => callAction(as, reply(replyId), { tool, args }),
        async state(drafted, language = 'en') {
          const stated = { companyId: shop.companyId, proposalId: idOf(drafted) }
          const statement = await writeStatement(as.db.kysely, stated, language)
          if (!statement) return null
          const messageId = await say('assistant', statement.text)
          await transaction(as.db, (tx) =>
            markStated(tx, { ...stated, messageId, at: world.clock.now() }),
          )
          return statement
        },
        answer: (replyId) => answerProposal(as, reply(replyId)),
        confirm: (drafted, replyId) => confirmProposal(as, reply(replyId), idOf(drafted)),
      }
    },
    async untilTheyWait(count) {
      const { pool } = world.database.db
      await expect.poll(() => waitingFor(pool)).toBe(count)
    },
    async clear() {
      api.requests.length = 0
      await context.db.kysely.deleteFrom('aiAction').execute()
    },
    async close() {
      outbound.close()
      await api.close()
      await world.close()
    },
  }
}

/** Of what was drafted. @throws where nothing was. */
export function idOf(drafted: ActionTold): string {
  if (drafted.kind !== 'drafted') throw new Error(drafted.text)
  return drafted.proposalId
}

async function waitingFor(pool: World['database']['db']['pool']): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `select count(*) as waiting from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.waiting
}

export const ORDER = {
  type: 'string',
  name: 'order',
  description: 'The number of the order',
  isRequired: true,
} as const

/** Asks for an order; `change` is laid over it. */
export function actionRequest(connectionId: string, change: ActionInput['request'] = {}) {
  return {
    connectionId,
    method: 'GET',
    path: '/orders/{{args.order}}',
    query: [],
    headers: [],
    body: null,
    ...change,
  } as const
}
