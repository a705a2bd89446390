/** Broadcasts as tests make them: a shop with templates, customers by number, time that passes. */
import type * as Shown from '../../src/contract/dashboard/broadcast.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { processDuePages } from '../../src/infra/database/queues/pages.ts'
import { BROADCAST_JOBS } from '../../src/modules/broadcasts/broadcast-job.ts'
import { signedIn } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'
import { addContacts, addTag } from './records/contacts.ts'
import { approved, newPhone, type SimulatedWhatsApp } from './simulator.ts'

const OFFER = [{ type: 'BODY', text: 'Hello {{1}}, see {{2}}' }]
const STOP_BUTTON = {
  type: 'BUTTONS',
  buttons: ['Stop', 'Tell me more'].map((text) => ({ type: 'QUICK_REPLY', text })),
}

/** A notice, an offer, and an offer with a button to stop. */
const TEMPLATES = [
  approved('notice', 'en', [{ type: 'BODY', text: 'Dear {{1}}, we move.' }]),
  { ...approved('offer', 'en', OFFER), category: 'MARKETING' },
  ...(
    [
      ['en', 'Sale!'],
      ['ar', 'تخفيضات'],
    ] as const
  ).map(([language, text]) => ({
    ...approved('sale', language, [{ type: 'BODY', text }, STOP_BUTTON]),
    category: 'MARKETING',
  })),
]

export async function openBroadcasts(
  world: World,
  whatsApp: Pick<SimulatedWhatsApp, 'simulator'> & Partial<SimulatedWhatsApp>,
  { openShop }: { openShop?: () => Promise<Shop> } = {},
) {
  const shop: Shop = await (openShop?.() ?? whatsApp.openShop!({ templates: TEMPLATES }))
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}`
  const all = `${at}/broadcasts`
  const show = async (id: string) =>
    (await owner.ask<Shown.BroadcastView>('GET', `${all}/${id}`)).body
  /** Lets time pass, in steps of half a second, and everything that is due happen. */
  const pass = async (seconds: number) => {
    for (let half = 0; half < seconds * 2; half += 1) {
      world.clock.advance(500)
      await whatsApp.settle!()
    }
  }
  const does = (id: string, what: string, json?: object) =>
    owner.ask<Shown.BroadcastView>('POST', `${all}/${id}/${what}`, json ?? {})
  /** Makes a draft of the notice, by default for the contacts with the tag. */
  async function draft(tag: string, input: object = {}) {
    const wanted = {
      name: 'News',
      channelId: shop.channelId,
      template: { name: 'notice', body: [{ name: '1', text: '{{contact.name}}' }] },
      audience: { kind: 'filter', filter: { tags: [tag] } },
      ...input,
    }
    const answer = await owner.ask<Shown.BroadcastView>('POST', all, wanted)
    if (answer.status !== 201) throw new Error(`the draft was answered ${answer.status}`)
    return answer.body
  }
  /** The same, started. Returns its id. */
  async function start(tag: string, input?: object) {
    const { id } = await draft(tag, input)
    const started = await does(id, 'start')
    if (started.status !== 200) throw new Error(JSON.stringify(started.body))
    return id
  }
  /** Many contacts, with these numbers or new ones; written straight into the table. */
  async function contacts(phones: number | readonly string[], tag: string) {
    const numbers = typeof phones === 'number' ? Array.from({ length: phones }, newPhone) : phones
    const rows = numbers.map((phone) => ({ name: 'Sara', phone, tags: [tag] }))
    await addContacts(world, shop, rows)
    await addTag(world, shop, tag)
    return [...numbers]
  }
  /**
   * Starts a broadcast to this number of new contacts, or to new contacts with these phone numbers. Returns its
   * id.
   */
  async function startTo(phones: number | readonly string[], input?: object) {
    await contacts(phones, 'vip')
    return start('vip', input)
  }
  /** Returns the messages that the provider accepted, in their order. */
  const sent = () =>
    whatsApp.simulator
      .messages()
      .filter(({ phoneNumberId }) => phoneNumberId === shop.phoneNumberId)
      .map(({ to, text }) => ({ to: `+${to}`, text }))
  return {
    shop,
    owner,
    at,
    /** Adds a contact, by default with a new phone number and the tag. */
    async contact(input: object = {}) {
      const made = { name: 'Sara', phone: newPhone(), ...input }
      const answer = await owner.ask<ContactView>('POST', `${at}/contacts`, made)
      if (answer.status !== 201) throw new Error(`the contact was answered ${answer.status}`)
      return answer.body
    },
    contacts,
    draft,
    start,
    startTo,
    /** Starts the same broadcast, and processes the work that is due without moving the clock. */
    async beginTo(phones: number | readonly string[], input?: object) {
      const id = await startTo(phones, input)
      await whatsApp.settle!()
      return id
    },
    async writes(phone: string | null, text: string) {
      const { phoneNumberId } = shop
      whatsApp.simulator.sendText({ from: phone!, phoneNumberId, text })
      await whatsApp.settle!()
    },
    /**
     * Processes this number of pages of the due broadcast jobs: messages get as far as the outbox, and none is
     * sent.
     */
    async enqueue(steps = 3) {
      const { context, keyRing } = world.service
      const deps = { ...context, keyRing, publicUrl: () => world.url }
      for (let step = 0; step < steps; step += 1) await processDuePages(deps, BROADCAST_JOBS)
    },
    does,
    show,
    check: async (id: string) =>
      (await owner.ask<Shown.BroadcastCheck>('POST', `${all}/${id}/check`, {})).body,
    recipients: async (id: string, query = '') =>
      (
        await owner.ask<Page<Shown.RecipientView>>(
          'GET',
          `${all}/${id}/recipients?limit=100&${query}`,
        )
      ).body.items,
    pass,
    /** Lets time pass until the broadcast is done, cancelled or paused. */
    async finish(id: string) {
      for (let steps = 0; steps < 400; steps += 1) {
        const view = await show(id)
        if (['done', 'cancelled', 'paused'].includes(view.state)) return view
        await pass(0.5)
      }
      throw new Error('the broadcast is not over')
    },
    sent,
    /** Returns the phone numbers that the provider accepted messages for. */
    reached: () => sent().map(({ to }) => to),
  }
}

export type Broadcasts = Awaited<ReturnType<typeof openBroadcasts>>

/** Returns the state and reason of a broadcast that was paused for this reason. */
export const pausedBy = (code: string, params?: object) => ({
  state: 'paused',
  reason: { code, ...(params && { params }) },
})
