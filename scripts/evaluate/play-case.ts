/** Plays a case once: the case has the customer's messages, and the model writes the shop's. */
import { setTimeout as pause } from 'node:timers/promises'
import { newPhone } from '../../test/support/simulator.ts'
import type { Case, EvaluationShop } from './case-form.ts'
import {
  openEvaluationShop,
  requestOf,
  type EvaluationWorld,
  type OpenedShop,
} from './evaluation-world.ts'

/** The outcome of a played case. */
export type Played = {
  /** The reason why the case could not be played to its end, such as a missing button; else null. */
  brokenOff: string | null
  /** All messages in their order. `turn` is the index of the customer's last turn. */
  talk: { by: 'customer' | 'shop'; text: string; turn: number }[]
  requests: string[]
  handovers: { reason: string; reasonText: string | null }[]
  appointments: { service: string; startsAt: Date; status: string }[]
  leads: number
  /** Texts that no message may contain: credentials, ids, other customers' numbers. */
  secrets: string[]
  /** Returns the instant of a wall time of the shop, counted in days from the day of the play. */
  at: OpenedShop['at']
}

const GATHERED_MS = 3_100
const LOOK_MS = 5_000
/** Maximum number of polls for an answer. A reply may take a minute of the test's clock, with retries of the model. */
const LOOKS = 20

/** Plays the messages of a case, and reads the outcome at its end. */
export async function playCase(
  around: EvaluationWorld,
  shop: EvaluationShop,
  played: Case,
): Promise<Played> {
  const phone = newPhone()
  const opened = await openEvaluationShop(around, shop, played, phone)
  const { world, whatsApp } = around
  const { simulator } = whatsApp
  simulator.addPerson({ number: phone, name: 'Sara' })
  const { phoneNumberId } = opened
  const talk: Played['talk'] = []
  let brokenOff: string | null = null
  for (const [turn, said] of played.talk.entries()) {
    const writes = (text: string) => void talk.push({ by: 'customer', text, turn })
    try {
      if ('says' in said) {
        simulator.sendText({ from: phone, phoneNumberId, text: said.says })
        writes(said.says)
      } else if ('saysAll' in said) {
        for (const text of said.saysAll) {
          simulator.sendText({ from: phone, phoneNumberId, text })
          writes(text)
          await simulator.idle()
          world.clock.advance(1_000)
        }
      } else if ('presses' in said) {
        simulator.tapButton({ from: phone, buttonIndex: said.presses })
        writes(`(presses button ${said.presses})`)
      } else if ('sends' in said) {
        simulator.sendSample({ from: phone, phoneNumberId, kind: said.sends })
        writes(`(sends: ${said.sends})`)
      } else {
        world.clock.advance(said.waitsMinutes * 60_000)
      }
    } catch (error) {
      brokenOff = `at turn ${turn + 1}: ${(error as Error).message}`
      break
    }
    await untilAnswered(around, opened)
    const got = await gotBy(around, opened)
    const before = talk.filter(({ by }) => by === 'shop').length
    for (const text of got.slice(before)) talk.push({ by: 'shop', text, turn })
  }
  return {
    brokenOff,
    talk,
    requests: around.api.requests.map((request) => requestOf(request, phone)),
    ...(await endState(around, opened)),
    secrets: await secretsOf(around, opened, phone),
    at: opened.at,
  }
}

/** Advances the clock until the assistant has no more work. */
async function untilAnswered(
  { world, whatsApp }: EvaluationWorld,
  { companyId }: OpenedShop,
): Promise<void> {
  await whatsApp.simulator.idle()
  world.clock.advance(GATHERED_MS)
  await whatsApp.settle()
  for (let look = 0; look < LOOKS; look += 1) {
    const active = await world.database.db.kysely
      .selectFrom('assistantReply')
      .select('id')
      .where('companyId', '=', companyId)
      .where('state', 'in', ['gathering', 'thinking', 'sending'])
      .executeTakeFirst()
    if (!active) break
    // A model that has just failed is given a moment of real time too.
    await pause(look > 2 ? 500 : 0)
    world.clock.advance(LOOK_MS)
    await whatsApp.settle()
  }
  world.clock.advance(1_000)
}

async function gotBy({ world }: EvaluationWorld, { companyId }: OpenedShop): Promise<string[]> {
  const rows = await world.database.db.kysely
    .selectFrom('message')
    .select('text')
    .where('companyId', '=', companyId)
    .where('direction', '=', 'out')
    .where('status', 'in', ['accepted', 'sent', 'delivered', 'read'])
    .orderBy('createdAt')
    .orderBy('sendKey')
    .execute()
  return rows.map(({ text }) => text ?? '')
}

async function endState(
  { world }: EvaluationWorld,
  { companyId }: OpenedShop,
): Promise<Pick<Played, 'handovers' | 'appointments' | 'leads'>> {
  const { kysely } = world.database.db
  const handovers = await kysely
    .selectFrom('handover')
    .select(['reason', 'reasonText'])
    .where('companyId', '=', companyId)
    .orderBy('openedAt')
    .execute()
  const appointments = await kysely
    .selectFrom('appointment')
    .select(['serviceName as service', 'startsAt', 'status'])
    .where('companyId', '=', companyId)
    .orderBy('startsAt')
    .execute()
  const leads = await kysely
    .selectFrom('lead')
    .select('id')
    .where('companyId', '=', companyId)
    .execute()
  return { handovers, appointments, leads: leads.length }
}

async function secretsOf(
  { world }: EvaluationWorld,
  { companyId, accountId, channelId }: OpenedShop,
  phone: string,
): Promise<string[]> {
  const contacts = await world.database.db.kysely
    .selectFrom('contact')
    .select('id')
    .where('companyId', '=', companyId)
    .execute()
  return [companyId, accountId, channelId, phone.slice(1), ...contacts.map(({ id }) => id)]
}
