/**
 * A message is answered while something else happens at the same moment in another node of the service, on the
 * same database. Each line of the table is tested in both orders. The first transaction is held in the middle
 * until the other one waits as well.
 *
 * Spec: Flows › Order of answers to a message; Inbox › Handler and assignment; readings F21, F26, F37, B5.
 */
import { expect, test } from 'vitest'
import { build, type FlowOfCase, type Situation } from '../conformance/routing-setup.ts'
import { messagesOf } from '../support/records/messages.ts'
import { eventsOf, eventTypesOf } from '../support/records/events.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { openTwoNodes } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import {
  atOnce,
  cancels,
  givesBack,
  handsOver,
  orders,
  outcome,
  ownerEchoes,
  replies,
  resolves,
  says,
  takesOver,
  taps,
  toContact,
  waitIsOver,
  works,
  wroteALot,
  type Act,
} from './two-nodes.ts'

const { world, other, whatsApp } = await openTwoNodes()

const keyword = (name: string, more: Partial<FlowOfCase> = {}): FlowOfCase => ({
  name,
  trigger: 'keyword',
  words: [name],
  match: 'exact',
  ...more,
})
const MENU = keyword('menu')
const ASKED = { flows: [MENU, keyword('asks')], runs: [{ flow: 'asks', state: 'asks' as const }] }
const BESIDE: Situation = {
  flows: [MENU, { name: 'manual', trigger: 'manual' }],
  runs: [{ flow: 'manual', state: 'asks', afterTakeOver: true }],
  staff: 'handover',
}

const NEWCOMER: Situation = {
  contact: 'new',
  conversation: 'none',
  flows: [{ name: 'first', trigger: 'conversation_started' }],
}

type Row = {
  what: string
  given: Situation
  before?: Act
  acts: [Act, Act]
  /** The lock that holds the first transaction, when it differs from the usual one. */
  held?: string
  /** The outcomes of this order, and of the reverse. */
  comesTo: [Outcome, Outcome]
}
/** Any of these outcomes is right, where the order is not defined. */
type Outcome = string | string[]
const same = (one: Outcome): [Outcome, Outcome] => [one, one]

const ROWS: Row[] = [
  {
    what: 'known: one message that two nodes are told of starts one run',
    given: { flows: [MENU] },
    acts: [says('menu', { id: 'wamid.twice' }), says('menu', { id: 'wamid.twice' })],
    comesTo: same('menu waiting, assistant'),
  },
  {
    what: 'an echo of the owner, which is no message, and a keyword',
    given: { flows: [MENU] },
    acts: [ownerEchoes, says('menu')],
    comesTo: ['not menu, staff', 'menu skipped, staff'],
  },
  {
    what: 'STOP and a keyword',
    given: { flows: [MENU] },
    acts: [says('STOP'), says('menu')],
    comesTo: ['assistant!, contact.opted_out', 'menu skipped, assistant, contact.opted_out'],
  },
  {
    what: 'STOP of who is out already and a member who opts them in',
    given: { contact: 'opted_out', flows: [MENU] },
    acts: [says('STOP'), toContact('opt-in')],
    comesTo: same('assistant, contact.opted_out, contact.updated'),
  },
  {
    what: 'START and a keyword of who is out',
    given: { contact: 'opted_out', flows: [MENU] },
    acts: [says('START'), says('menu')],
    comesTo: ['menu waiting, assistant, contact.updated', 'assistant!, contact.updated'],
  },
  {
    what: 'the 21st text of a minute and a keyword',
    given: { flows: [MENU] },
    before: wroteALot,
    acts: [says('one more'), says('menu')],
    comesTo: ['staff!, conversation.handover', 'menu skipped, staff!, conversation.handover'],
  },
  {
    what: 'staff handles: a tap for a run beside staff, and a member who cancels that run',
    given: BESIDE,
    acts: [taps({ run: 'manual' }), cancels('manual')],
    comesTo: same('manual cancelled, staff!'),
  },
  {
    what: 'staff handles: an answer to a run beside staff, and a member who replies',
    given: BESIDE,
    acts: [says('blue'), replies],
    comesTo: same('manual cancelled, staff!'),
  },
  {
    what: 'staff handles: a keyword, and a member who gives back',
    given: { flows: [MENU], staff: 'handover' },
    acts: [says('menu'), givesBack],
    comesTo: ['not menu, assistant', 'menu waiting, assistant'],
  },
  {
    what: 'opted out: a keyword, and a member who opts them in',
    given: { contact: 'opted_out', flows: [MENU] },
    acts: [says('menu'), toContact('opt-in')],
    comesTo: same(['assistant!, contact.updated', 'menu waiting, assistant, contact.updated']),
  },
  {
    what: 'a tap for a run that waits, and a member who cancels it',
    given: ASKED,
    acts: [taps({ run: 'asks' }), cancels('asks')],
    comesTo: same('asks cancelled, assistant!'),
  },
  {
    what: 'the button of a template with a flow, tapped twice',
    given: {
      flows: [{ name: 'button', trigger: 'template_button', template: 't1', button: 'Yes' }],
    },
    acts: [taps({ template: 't1' }), taps({ template: 't1' })],
    comesTo: same('button waiting, assistant!'),
  },
  {
    what: 'a keyword that interrupts, and the answer that a run waits for',
    given: { ...ASKED, flows: [keyword('menu', { interrupts: true }), keyword('asks')] },
    acts: [says('menu'), says('blue')],
    comesTo: [
      'asks customer_exited, menu waiting, assistant!, flow.completed',
      'asks customer_exited, menu waiting, assistant, flow.completed',
    ],
  },
  {
    what: 'the answer that a run waits for, and a member who takes over',
    given: ASKED,
    acts: [says('blue'), takesOver],
    comesTo: same('asks cancelled, staff, conversation.assigned'),
  },
  {
    what: 'the answer that a run waits for, and a handover',
    given: ASKED,
    acts: [says('blue'), handsOver],
    comesTo: same('asks cancelled, staff!, conversation.handover'),
  },
  {
    what: 'a keyword, said twice',
    given: { flows: [MENU] },
    acts: [says('menu'), says('menu')],
    comesTo: same('menu waiting, assistant!'),
  },
  {
    what: 'two keywords of two flows',
    given: { flows: [MENU, keyword('hours')] },
    acts: [says('menu'), says('hours')],
    comesTo: same('hours waiting, menu waiting, assistant'),
  },
  {
    what: 'two first messages',
    given: NEWCOMER,
    acts: [says('hello'), says('hello again')],
    comesTo: same('first waiting, assistant!, contact.created, conversation.started'),
  },
  {
    what: 'a first message, and the hook that begins the conversation',
    given: NEWCOMER,
    acts: [says('hello'), orders],
    comesTo: same(
      'first waiting, hook error, assistant, contact.created, conversation.started, flow.failed',
    ),
  },
  {
    what: 'a keyword, and a member who opts the customer out',
    given: { flows: [MENU] },
    acts: [says('menu'), toContact('opt-out')],
    comesTo: same(['menu skipped, assistant, contact.opted_out', 'assistant!, contact.opted_out']),
  },
  {
    what: 'the answer that a run waits for, and the end of that wait',
    given: ASKED,
    before: waitIsOver,
    acts: [says('blue'), works],
    held: 'event',
    comesTo: ['asks waiting, assistant', 'asks completed, assistant!, flow.completed'],
  },
  {
    what: 'what nobody else answers, and a member who resolves',
    given: {},
    acts: [says('hello'), resolves],
    comesTo: ['resolved assistant, conversation.resolved', 'assistant!, conversation.resolved'],
  },
  {
    what: 'a handover, and a member who takes over',
    given: {},
    acts: [handsOver, takesOver],
    comesTo: [
      'staff!, conversation.assigned, conversation.handover',
      'staff, conversation.assigned',
    ],
  },
]

test.each(
  ROWS.flatMap(
    ({ what, acts, comesTo, ...row }): (Omit<Row, 'comesTo'> & { comesTo: Outcome })[] => [
      { ...row, what, acts, comesTo: comesTo[0] },
      {
        ...row,
        what: `${what}, the other way round`,
        acts: [acts[1], acts[0]],
        comesTo: comesTo[1],
      },
    ],
  ),
)(
  'A message and another change at the same moment, in both orders: $what',
  async ({ given, before, acts, held, comesTo }) => {
    const built = await build({ world, whatsApp }, given, ['t1'])
    await before?.(built, world)
    // Providers report times in whole seconds.
    world.clock.advance(1_000 - (world.clock.now().getTime() % 1_000))
    const seen = new Set(
      (await eventsOf(world, { companyId: built.shop.companyId })).map(({ id }) => id),
    )
    await atOnce(built, [world, other], acts, held)
    await whatsApp.settle()
    expect([comesTo].flat()).toContain(await outcome(world, built, seen))
  },
)

test('a take-over and the answer of a flow: either it was sent before, or it never is', async () => {
  for (let round = 0; round < 6; round += 1) {
    const built = await build({ world, whatsApp }, { flows: [MENU] }, [])
    await says('menu')(built, world)
    const both = [takesOver(built, world), works(built, other)]
    await Promise.all(round % 2 === 0 ? both : both.toReversed())
    await whatsApp.settle()
    expect(await outcome(world, built)).toMatch(/^menu (skipped|cancelled), staff, (?!.*flow\.)/)
    const rows = await messagesOf(world, { companyId: built.shop.companyId, direction: 'out' })
    const sent = whatsApp.sentTo(built.phone)
    expect(rows.map(({ status }) => status === 'failed')).toEqual(
      rows.length === 0 ? [] : [sent.length === 0],
    )
  }
})

test('200 concurrent first messages of one customer: one contact and one conversation, with one event each', async () => {
  const shop = await whatsApp.openShop()
  const from = newPhone()
  await Promise.all(
    Array.from({ length: 200 }, (_, nth) =>
      customerWrites([world, other][nth % 2]!, shop, { from, text: `hello ${nth}` }),
    ),
  )
  const { companyId } = shop
  const types = await eventTypesOf(world, { companyId })
  const count = (type: string) => types.filter((each) => each === type).length
  expect({
    contacts: (await contactsOf(world, { companyId })).length,
    conversations: (await conversationsOf(world, { companyId })).length,
    messages: (await messagesOf(world, { companyId })).length,
    created: count('contact.created'),
    started: count('conversation.started'),
    received: count('message.received'),
    handovers: count('conversation.handover'),
  }).toEqual({
    contacts: 1,
    conversations: 1,
    messages: 200,
    created: 1,
    started: 1,
    received: 200,
    // The number is more than a person writes.
    handovers: 1,
  })
})
