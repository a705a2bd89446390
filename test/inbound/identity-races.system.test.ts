/**
 * Several sources report one customer at the same moment, on two nodes of the service. The customer becomes one
 * contact with one opt-out state, and no event is lost. Contacts › Who a customer is.
 */
import { expect, test } from 'vitest'
import { postHook, ORDER } from '../support/post-hook.ts'
import { openTwoNodes } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { IS_FULL_SIZE } from '../support/full-size.ts'
import { createRandom } from '../support/random.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { countDeadlocks } from '../support/records/locks.ts'
import { messagesOf } from '../support/records/messages.ts'
import { runsOf } from '../support/records/runs.ts'
import { newPhone } from '../support/simulator.ts'
import { importsOf } from '../support/upload-contacts.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'

const ROUNDS = IS_FULL_SIZE ? 500 : 40
const LONGEST_MS = 1_800_000

const { world, other, whatsApp } = await openTwoNodes()
const random = createRandom('races of identity')
const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

/** Lets both nodes process the queues that they were notified of. */
async function settle(): Promise<void> {
  await other.service.processAll()
  await whatsApp.settle()
}

/**
 * Concurrent changes of a member: creates the contact, changes the contact with the number, or gives a contact
 * the number.
 */
const MEMBER_ACTS = ['make', 'change', 'number'] as const

test(
  `${ROUNDS} customers, each from six sources concurrently: one contact each, opted out after STOP`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { told, expected } = await playRound()
      expect({ round, ...told }).toEqual({ round, ...expected })
    }
    // PostgreSQL would abort one transaction of a deadlock, and it would be run again.
    expect(await countDeadlocks(world)).toBe(0)
  },
  LONGEST_MS,
)

/** Reports one customer from all sources. Returns the result, and the expected one. */
async function playRound() {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const imports = importsOf(world, { owner, shop })
  const phone = newPhone()
  const { bsuid: userId } = whatsApp.simulator.addPerson({ number: phone })
  const saysStop = random() < 0.5
  const memberAct = MEMBER_ACTS[Math.floor(random() * MEMBER_ACTS.length)]!
  const at = `/companies/${shop.companyId}/contacts`
  const made = memberAct === 'make' ? null : await imports.make(NAMED[memberAct](phone))
  const node = () => (random() < 0.5 ? world : other)
  let [hookStatus, memberStatus] = [0, 0]
  const acts = [
    () => customerWrites(node(), shop, { userId, text: 'by id' }),
    () => customerWrites(node(), shop, { from: phone, text: 'by number' }),
    () =>
      customerWrites(node(), shop, { from: phone, userId, text: saysStop ? 'STOP' : 'by both' }),
    async () => {
      const order = { ...ORDER, customer: { ...ORDER.customer, phone } }
      hookStatus = (await postHook(shop.hookUrl, order)).http
    },
    async () => {
      await imports.importPage(`Sara,${phone},,,`)
    },
    async () => {
      const input = memberAct === 'change' ? { addTags: ['vip'] } : { phone }
      const { status } = made
        ? await owner.ask('PATCH', `${at}/${made.id}`, input)
        : await owner.ask('POST', at, { name: 'Sara', phone })
      memberStatus = status
    },
  ]
  await Promise.all(shuffled(acts).map((act) => act()))
  await settle()
  // The last event shows both ids, and joins two contacts that could not be known as one before.
  await customerWrites(node(), shop, { from: phone, userId, text: 'and now?' })
  await settle()

  const { companyId } = shop
  const contacts = await contactsOf(world, { companyId })
  const types = await eventTypesOf(world, { companyId })
  const count = (type: string) => types.filter((each) => each === type).length
  const runs = await runsOf(world, { companyId })
  // A run that STOP overtakes does not begin.
  const isSkipped = saysStop && runs.some(({ status }) => status === 'skipped')
  // A number that the customer was quicker with is not given to another contact, which stays without one.
  const isApart = memberAct === 'number' && memberStatus === 409
  const isWithoutNumber = (id: string) => isApart && id === made?.id
  const customers = contacts.filter(({ id }) => !isWithoutNumber(id))
  return {
    told: {
      memberAct,
      contacts: customers.map((one) => [one.phone, one.whatsappId, one.optedOutAt !== null]),
      others: contacts.length - customers.length,
      isEdited: customers.map(({ tags }) => tags.includes('vip')),
      conversations: (await conversationsOf(world, { companyId })).length,
      messages: (await messagesOf(world, { companyId, direction: 'in' })).length,
      received: count('message.received'),
      optedOut: count('contact.opted_out'),
      runs: runs.map(({ status }) => status),
      completed: count('flow.completed'),
      hookStatus,
      memberStatus,
    },
    expected: {
      memberAct,
      contacts: [[phone, userId, saysStop]],
      others: isApart ? 1 : 0,
      isEdited: [memberAct === 'change'],
      conversations: 1,
      messages: 4,
      received: 4,
      optedOut: saysStop ? 1 : 0,
      runs: hookStatus === 409 ? [] : [isSkipped ? 'skipped' : 'completed'],
      completed: hookStatus === 409 || isSkipped ? 0 : 1,
      // A hook of a customer who is opted out is refused, and so is a number that another contact has.
      hookStatus: saysStop && hookStatus === 409 ? 409 : 202,
      memberStatus: memberAct !== 'change' && memberStatus === 409 ? 409 : made ? 200 : 201,
    },
  }
}

/** The contact that exists before a member changes it, or gives it the number. */
const NAMED = {
  change: (phone: string) => ({ name: 'Sara', phone }),
  number: () => ({ name: 'Sara' }),
}
