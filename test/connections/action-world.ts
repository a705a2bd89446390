/** A shop with an API, customers who write to it, and the assistant's side of its actions. */
import { afterAll, expect } from 'vitest'
import { callAction, type ActionResult } from '../../src/modules/connections/call-action.ts'
import { processProposalAnswer } from '../../src/modules/connections/process-proposal-answer.ts'
import { confirmProposal } from '../../src/modules/connections/confirm-proposal.ts'
import type { CallDeps } from '../../src/modules/connections/make-call.ts'
import { offerActions } from '../../src/modules/connections/offer-actions.ts'
import { markConfirmationSent } from '../../src/modules/connections/mark-confirmation-sent.ts'
import {
  renderConfirmation,
  type ConfirmationQuestion,
} from '../../src/modules/connections/render-confirmation.ts'
import type { ActionView, CreateAction } from '../../src/contract/dashboard/action.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import type { Language } from '../../src/core/vocabulary/hooks.ts'
import { createOutboundClient } from '../../src/infra/egress/outbound-client.ts'
import { signedIn } from '../support/dashboard.ts'
import { deleteActions } from '../support/records/calls.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { countWaiting } from '../support/records/locks.ts'
import { addMessage, putMessage } from '../support/records/messages.ts'
import { createWorld } from '../support/test-service.ts'
import { connectApi, startShopApi } from '../support/shop-api.ts'
import { createOwnShop } from '../support/shop.ts'
import { customerWrites, type Written } from '../support/whatsapp-webhook.ts'

/** The parts of an action that a test may choose. The rest has usual values. */
export type ActionInput = Partial<Omit<CreateAction, 'request'>> & {
  request?: Partial<CreateAction['request']>
}

export type ActionWorld = Awaited<ReturnType<typeof createActionWorld>>
/** A customer on WhatsApp, and the assistant that answers them. */
export type Talk = Awaited<ReturnType<ActionWorld['customer']>>

let numbers = 0

/** Opens a world with such a shop, and closes it after the tests of the file. */
export async function openActionWorld(): Promise<ActionWorld> {
  const w = await createActionWorld()
  afterAll(() => w.close())
  return w
}

export async function createActionWorld() {
  const world = await createWorld({ databasePool: '8' })
  const shop = await createOwnShop(world)
  const { companyId, channelId, accountId } = shop
  const api = await startShopApi(world)
  const { context, keyRing } = world.service
  const connectionId = await connectApi(world, { companyId, baseUrl: api.baseUrl })
  const outbound = createOutboundClient({
    resolve: () => Promise.resolve(['127.0.0.1']),
    isAllowedAddress: () => true,
    extraCa: [world.receiver.certificate],
  })
  const deps: CallDeps = { ...context, keyRing, outbound }
  /** Path of the actions in the dashboard's API. */
  const actions = `/companies/${companyId}/actions`
  let serial = 0
  /** Signs in another Owner: a test may have moved the clock by days. */
  const member = () => signedIn(world, { accountId })
  const owner = await member()

  return {
    world,
    shop,
    owner,
    api,
    connectionId,
    deps,
    actions,
    member,
    async make({ request, ...input }: ActionInput = {}): Promise<ActionView> {
      serial += 1
      const maker = await member()
      const answer = await maker.ask<ActionView>('POST', actions, {
        toolName: `tool_${serial}`,
        description: 'Looks an order up.',
        request: actionRequest(connectionId, request),
        parameters: [ORDER],
        needsConfirmation: false,
        offeredOn: 'all',
        ...input,
      })
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
      return answer.body
    },
    /** Returns a customer who has just written. `phone` is in digits, and `as` is the node that answers. */
    async customer(phone = `96650${String(1_000_000 + ++numbers)}`, as = deps) {
      const post = (message: Written) =>
        customerWrites(world, shop, { from: phone, at: world.clock.now(), ...message })
      const write = (text: string, at = world.clock.now()) => post({ text, at })
      await write('hello')
      const { id: conversationId, contactId } = await conversationWith(world, shop, phone)
      const say = (sender: string, text: string) =>
        addMessage(world, { companyId, channelId, conversationId }, { sender, text })
      const reply = (replyId = context.ids.uuid()) => ({ companyId, conversationId, replyId })
      return {
        conversationId,
        contactId: contactId!,
        /** Sends another text from the customer. */
        write,
        /** Sends a text that quotes a message of the business, by its id. */
        async quote(messageId: string, text: string) {
          const quotes = `wamid.${messageId}`
          await putMessage(world, messageId, { providerMessageId: quotes })
          await post({ text, quotes })
        },
        /** Presses a button of the last confirmation text. */
        press: ({ label: title, payload: id }: { label: string; payload: string }) =>
          post({
            content: {
              type: 'interactive',
              interactive: { type: 'button_reply', button_reply: { id, title } },
            },
          }),
        /** Sends another kind of message: `type` and the object of that name. */
        send: (content: Record<string, unknown>) => post({ content }),
        /** Sends a message of the business, which the provider accepts. Returns the message's id. */
        say,
        offered: (replyId?: string) => offerActions(as, reply(replyId)),
        use: (tool: string, args: unknown = {}, replyId?: string) =>
          callAction(as, reply(replyId), { tool, args }),
        /**
         * Sends a draft's confirmation text, which the provider accepts now. Returns null when the proposal was
         * withdrawn.
         */
        async state(
          drafted: ActionResult,
          language: Language = 'en',
        ): Promise<ConfirmationQuestion | null> {
          const stated = { companyId, proposalId: idOf(drafted) }
          const statement = await renderConfirmation(as.db.kysely, stated, language)
          if (!statement) return null
          const messageId = await say('assistant', statement.text)
          await transaction(as.db, (tx) =>
            markConfirmationSent(tx, { ...stated, messageId, at: world.clock.now() }),
          )
          return statement
        },
        /** Reads the customer's messages since the confirmation text, as at the start of a reply. */
        answer: (replyId?: string) => processProposalAnswer(as, reply(replyId)),
        confirm: (drafted: ActionResult, replyId?: string) =>
          confirmProposal(as, reply(replyId), idOf(drafted)),
      }
    },
    /** Resolves once `count` statements wait for a lock. */
    async untilTheyWait(count: number) {
      await expect.poll(() => countWaiting(world)).toBe(count)
    },
    /** Deletes the actions and the API's requests of earlier tests: a company has at most 20 actions. */
    async clear() {
      api.requests.length = 0
      await deleteActions(world)
    },
    async close() {
      outbound.close()
      await api.close()
      await world.close()
    },
  }
}

/** Returns the id of a drafted proposal. @throws if nothing was drafted. */
export function idOf(drafted: ActionResult): string {
  if (drafted.kind !== 'drafted') throw new Error(drafted.text)
  return drafted.proposalId
}

export const ORDER = {
  type: 'string',
  name: 'order',
  description: 'The number of the order',
  isRequired: true,
} as const

/** Returns a request for an order, with `change` merged into it. */
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
