/** A company with one row of every kind, and very many rows that lists, searches and exports read. */
import type { Member } from '../support/dashboard.ts'
import { makeOneOfEach } from '../support/company-fixture.ts'
import { addContact, addContactField, addContacts } from '../support/records/contacts.ts'
import { addConversation, addConversations } from '../support/records/conversations.ts'
import { addDeliveries } from '../support/records/deliveries.ts'
import { addMessage, repeatMessage } from '../support/records/messages.ts'
import { addFlowTo } from '../support/records/flows.ts'
import { repeatRun } from '../support/records/runs.ts'
import type { World } from '../support/test-service.ts'
import { templateStep, type Shop } from '../support/shop.ts'
import { textOf } from './worst-values.ts'

type WorstSize = { contacts: number; messages: number; others: number }

const AT_ONCE = 1_000
/** The number of flows, each with a definition of nearly a megabyte. */
const FLOWS = 40

const flowOf = ({ channelId }: Shop, steps: object) => {
  return { channelId, trigger: { kind: 'manual' }, start: 's0', steps }
}

/** Makes the company. Returns the ids of its rows by the parameters of the routes. */
export async function makeWorstCompany(
  world: World,
  shop: Shop,
  owner: Member,
  { contacts, messages, others }: WorstSize,
): Promise<Record<string, string>> {
  const ids = await makeOneOfEach(world, shop, owner)
  const fields: Record<string, string> = {}
  for (let nth = 0; nth < 20; nth += 1) {
    const key = `field_${nth}`
    fields[key] = textOf('arabic', 1_000)
    await addContactField(world, shop, { key, kind: 'text', label: textOf('arabic', 80) })
  }
  for (let made = 0; made < contacts; made += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, at) => {
      const nth = made + at
      return {
        name: `${textOf('arabic', 190)} ${nth}`,
        phone: `+9665${String(10_000_000 + nth)}`,
        email: `${'a'.repeat(60)}${nth}@${'shop'.repeat(12)}.example`,
        tags: Array.from({ length: 50 }, (_unused, tag) => `tag ${tag} ${textOf('arabic', 40)}`),
        // One page of the list has contacts with all fields.
        ...(nth < 300 && { fields }),
      }
    })
    await addContacts(world, shop, some)
  }
  const text = textOf('arabic', 1_800)
  const steps = Object.fromEntries(
    Array.from({ length: 199 }, (_, nth) => [`s${nth}`, templateStep(text, `s${nth + 1}`)]),
  )
  const definition = flowOf(shop, { ...steps, s199: { kind: 'end' } })
  for (let nth = 0; nth < FLOWS; nth += 1) {
    const { flowId } = await addFlowTo(world, shop, { definition, name: textOf('arabic', 80) })
    ids.flowId = flowId
  }
  const contactId = await addContact(world, shop, { name: textOf('arabic', 200) })
  const conversationId = await addConversation(world, shop, { contactId })
  const messageId = await addMessage(
    world,
    { ...shop, conversationId },
    { direction: 'in', text: textOf('arabic', 4_096), providerMessageId: 'worst' },
  )
  await repeatMessage(world, messageId, messages, {
    text: (nth) => textOf(nth % 2 === 0 ? 'arabic' : 'braces', 4_096),
  })
  await addConversations(world, shop, others)
  await repeatRun(world, ids.runId!, others, { ownConversations: true })
  const states = Array.from({ length: others }, (_, nth) =>
    nth % 2 === 0 ? 'delivered' : 'dead_lettered',
  )
  for (let made = 0; made < others; made += AT_ONCE) {
    await addDeliveries(world, shop, states.slice(made, made + AT_ONCE))
  }
  return { ...ids, contactId, conversationId, messageId }
}
