/** Flows with triggers of a shop, and the runs that messages start. */
import { shownRun } from '../../support/shown-run.ts'
import type { FlowDetail, PublishedFlow } from '../../../src/contract/dashboard/flow.ts'
import { signedIn, type Answer } from '../../support/dashboard.ts'
import type { World } from '../../support/test-service.ts'
import { newPhone, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { customerWrites, type Written } from '../../support/whatsapp-webhook.ts'
import { contactsOf } from '../../support/records/contacts.ts'
import { onlyConversation } from '../../support/records/conversations.ts'
import { runsOf } from '../../support/records/runs.ts'

/** Steps that ask and wait: a run of them stays open. */
export const ASKING = {
  hello: { kind: 'send_message', text: 'Which one?', next: 'ask' },
  ask: {
    kind: 'wait_for_reply',
    saveAs: 'answer',
    timeoutMinutes: 60,
    next: null,
    onTimeout: null,
  },
}
export const keyword = (...words: string[]) => ({ kind: 'keyword', words })
/** Returns a step that sends one text. */
export const saying = (text: string, next: string | null = null) => ({
  kind: 'send_message',
  text,
  next,
})

/** Returns a step that asks which option is chosen, by their values and labels. */
export const choosing = (
  text: string,
  {
    saveAs,
    options,
    next,
  }: { saveAs: string; options: Record<string, string>; next: string | null },
) => ({
  kind: 'ask',
  text,
  answer: 'choice',
  options: Object.entries(options).map(([value, label]) => ({ value, label })),
  saveAs,
  timeoutMinutes: 60,
  next,
  onTimeout: null,
})

/** Steps that send one text and end. */
export const SAYING = { hello: saying('Here it is') }

export type Draw = {
  trigger: Record<string, unknown>
  steps?: Record<string, unknown>
  start?: string
  name?: string
}

type Tried = { id: string; answer: Answer<PublishedFlow> }

/** A shop with its owner and one customer. */
export type Story = Awaited<ReturnType<typeof tellStory>>

export async function tellStory(
  world: World,
  whatsApp: SimulatedWhatsApp,
  options: Parameters<SimulatedWhatsApp['openShop']>[0] = {},
) {
  const shop = await whatsApp.openShop(options)
  const { companyId } = shop
  const owner = await signedIn(world, { accountId: shop.accountId })
  const phone = newPhone()
  const company = `/companies/${companyId}`
  const names = new Map<string, string>()

  /** Draws a flow and tries to publish it. */
  async function tryToPublish({
    trigger,
    steps = SAYING,
    start = 'hello',
    name = 'Flow',
  }: Draw): Promise<Tried> {
    const made = await owner.ask<FlowDetail>('POST', `${company}/flows`, { name })
    const { id } = made.body
    names.set(id, name)
    return { id, answer: await publishAgain(id, { trigger, steps, start }) }
  }

  /** Draws a flow again and tries to publish it. */
  async function publishAgain(id: string, { trigger, steps = SAYING, start = 'hello' }: Draw) {
    const path = `${company}/flows/${id}`
    const draft = { channelId: shop.channelId, trigger, start, steps }
    const saved = await owner.ask('PUT', `${path}/draft`, draft)
    if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
    // The order of flows that are published at one moment would depend on their ids.
    world.clock.advance(1)
    return owner.ask<PublishedFlow>('POST', `${path}/publish`)
  }

  /** Draws and publishes a flow. Returns its id. */
  async function publish(draw: Draw): Promise<string> {
    const { id, answer } = await tryToPublish(draw)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    return id
  }

  /** Draws and publishes a flow that the word "order" starts. */
  const publishOrder = (steps: Record<string, unknown>, start?: string): Promise<string> =>
    publish({ trigger: keyword('order'), steps, ...(start && { start }) })

  /** Lets the customer write; the webhook is answered, and nothing is processed yet. */
  async function write(message: Partial<Written> = {}): Promise<void> {
    const { text, ...more } = message
    if (text !== undefined && Object.keys(more).length === 0) {
      // The simulator sends it, and so knows that the window is open.
      whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text })
      await whatsApp.simulator.idle()
      return
    }
    const by = message.userId === undefined ? { from: phone } : {}
    await customerWrites(world, shop, { ...by, ...message })
  }

  /** Lets the customer write, and processes all that follows. */
  async function say(text: string): Promise<void> {
    await write({ text })
    await whatsApp.settle()
  }

  /** Returns the runs in the order in which they began. */
  const runs = async () =>
    (await runsOf(world, { companyId })).map(
      ({ id, flowId, triggerKind: kind, status, endReason: reason }) => ({
        id,
        flowId,
        kind,
        status,
        reason,
      }),
    )

  return {
    shop,
    owner,
    phone,
    publish,
    publishOrder,
    tryToPublish,
    publishAgain,
    write,
    say,
    runs,
    /** Returns the names of the flows whose runs started. */
    started: async () => (await runs()).map(({ flowId }) => names.get(flowId) ?? 'the hook’s'),
    /** Returns the newest run, as a member sees it. */
    lastRun: async () => {
      // A session ends before some of the stories do.
      const member = await signedIn(world, { accountId: shop.accountId })
      const { id: runId } = (await runs()).at(-1)!
      return shownRun(member, { companyId, runId })
    },
    /** Returns the messages that were sent to the customer. */
    sent: () => whatsApp.sentTo(phone),
    texts: () => whatsApp.sentTo(phone).map(({ text }) => text),
    /** Taps a button of the last message that has buttons, or of the named one. */
    tap: async (buttonIndex: number, messageId?: string) => {
      const which = messageId === undefined ? {} : { messageId }
      whatsApp.simulator.tapButton({ from: phone, buttonIndex, ...which })
      await whatsApp.settle()
    },
    conversation: () => onlyConversation(world, { companyId }),
    contact: async () => (await contactsOf(world, { companyId }))[0],
    /** Returns the types of the events that the shop received, in order. */
    eventTypes: () => shop.events().map(({ type }) => type),
  }
}
