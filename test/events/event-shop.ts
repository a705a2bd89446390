/** A world with a shop whose events are checked, and one with an assistant. */
import { askForTime } from '../flows/steps/booking-stories.ts'
import { keyword, tellStory } from '../flows/triggers/trigger-stories.ts'
import { openAssisted } from '../support/assistant.ts'
import { bookableShop, booked } from '../support/bookable.ts'
import { inboxOf, type Talk } from '../support/inbox.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { addContactField } from '../support/records/contacts.ts'
import { newPhone } from '../support/simulator.ts'

/** One way in which events are raised. Events of its preparation do not count. */
export type Way = {
  way: string
  /** The calls that it covers, as `callsThatRaise` names them. */
  by: string[]
  raises: string[]
  given?: () => Promise<unknown>
  does: () => Promise<unknown>
  /** The company that gets the events, if it is another one. */
  of?: () => string
}

export type EventShop = Awaited<ReturnType<typeof openEventShop>>

/** Opens both for the tests of one file. */
export async function openEventShop() {
  const assisted = await openAssisted()
  const { world, whatsApp } = assisted
  const { shop, owner, publish, say, write } = await tellStory(world, whatsApp)
  const { companyId } = shop
  const at = `/companies/${companyId}`
  const inbox = inboxOf({ world, whatsApp }, shop)
  const sara = await inbox.member()
  const bookable = await bookableShop(world, companyId)
  await addContactField(world, shop, { key: 'size', label: 'Size', kind: 'text' })
  await say('hello')
  const ai = await assisted.openShop()
  const aiBooking = await bookableShop(world, ai.companyId)
  await aiBooking.ownService({ minutes: 60, stepMin: 60 })

  async function ask<Body>(method: string, path: string, json?: unknown) {
    const { status, body } = await owner.ask<Body>(method, `${at}${path}`, json)
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${JSON.stringify(body)}`)
    return body
  }
  return {
    assisted,
    world,
    whatsApp,
    shop,
    owner,
    publish,
    write,
    inbox,
    sara,
    ai,
    ask,
    makeContact: (input: object = {}) =>
      ask<ContactView>('POST', '/contacts', { name: 'Huda', phone: newPhone(), ...input }),
    async book() {
      const serviceId = await bookable.ownService()
      return booked(await bookable.book({ serviceId, startsAt: bookable.aTime() }))
    },
    /** Returns a conversation with a new customer who has written once. */
    talkTo: () => inbox.talk(newPhone()),
    /** Publishes a flow of these steps, and starts it by a keyword of the customer. */
    async runs(talk: Talk, word: string, steps: Record<string, unknown>) {
      await publish({ trigger: keyword(word), steps })
      await talk.writes(word)
    },
    /** Makes a separate shop, whose flow asks a customer for a time. */
    askForTime: (shape?: Parameters<typeof askForTime>[2]) => askForTime(world, whatsApp, shape),
  }
}
