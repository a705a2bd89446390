/** Flows with triggers of a shop, and what messages start of them. */
import type { FlowDetail, PublishedFlow } from '../../../src/contract/dashboard/flow.ts'
import { signedIn, type Answer, type Member } from '../../support/dashboard.ts'
import type { World } from '../../support/service.ts'
import { newPhone, type ConnectedShop, type SimulatedWhatsApp } from '../../support/simulator.ts'
import { postWebhook, webhookOf, written, type Written } from '../../support/whatsapp-webhook.ts'

/** Asks and waits: a run of it stays open. */
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
/** Says one thing and ends. */
export const SAYING = { hello: { kind: 'send_message', text: 'Here it is', next: null } }

export type Draw = {
  trigger: Record<string, unknown>
  steps?: Record<string, unknown>
  start?: string
  name?: string
}

export type Story = {
  shop: ConnectedShop
  owner: Member
  phone: string
  /** Draws and publishes a flow. Returns its id. */
  publish(draw: Draw): Promise<string>
  tryToPublish(draw: Draw): Promise<{ id: string; answer: Answer<PublishedFlow> }>
  /** The customer writes; the webhook is answered, and nothing goes on yet. */
  write(message?: Partial<Written>): Promise<void>
  /** Runs in the order they began. */
  runs(): Promise<
    { id: string; flowId: string; kind: string; status: string; reason: string | null }[]
  >
  /** Which flows runs were started of, by name. */
  started(): Promise<string[]>
}

export async function tellStory(world: World, whatsApp: SimulatedWhatsApp): Promise<Story> {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const phone = newPhone()
  const flows = `/companies/${shop.companyId}/flows`
  const names = new Map<string, string>()

  async function tryToPublish({ trigger, steps = SAYING, start = 'hello', name = 'Flow' }: Draw) {
    const made = await owner.ask<FlowDetail>('POST', flows, { name })
    const { id } = made.body
    names.set(id, name)
    const draft = { channelId: shop.channelId, trigger, start, steps }
    const saved = await owner.ask('PUT', `${flows}/${id}/draft`, draft)
    if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
    // Flows that are published at one moment are told apart by their ids.
    world.clock.advance(1)
    return { id, answer: await owner.ask<PublishedFlow>('POST', `${flows}/${id}/publish`) }
  }

  const runs = async () => {
    const rows = await world.database.db.kysely
      .selectFrom('flowRun')
      .select(['id', 'flowId', 'triggerKind as kind', 'status', 'endReason as reason'])
      .where('companyId', '=', shop.companyId)
      .orderBy('id')
      .execute()
    return rows
  }

  return {
    shop,
    owner,
    phone,
    tryToPublish,
    async publish(draw) {
      const { id, answer } = await tryToPublish(draw)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return id
    },
    async write(message = {}) {
      const { text, ...more } = message
      if (text !== undefined && Object.keys(more).length === 0) {
        // Written in the simulator, which then knows that the window is open.
        whatsApp.simulator.sendText({ from: phone, phoneNumberId: shop.phoneNumberId, text })
        await whatsApp.simulator.idle()
        return
      }
      const by = message.userId === undefined ? { from: phone.slice(1) } : {}
      const status = await postWebhook(world, webhookOf(shop, [written({ ...by, ...message })]))
      if (status !== 200) throw new Error(`the webhook was answered ${status}`)
    },
    runs,
    started: async () => (await runs()).map(({ flowId }) => names.get(flowId) ?? 'the hook’s'),
  }
}
