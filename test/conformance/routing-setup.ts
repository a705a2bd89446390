/** Builds the situation of a routing case through the service's own functions. */
import { transaction } from '../../src/infra/database/transaction.ts'
import { startRuns } from '../../src/modules/flows/runs/start-runs.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { transitionConversations } from '../../src/modules/messaging/transition-conversations.ts'
import type { ConversationChange } from '../../src/modules/messaging/plan-changes.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import type { TriggerKind } from '../../src/core/vocabulary/flows.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import type { ConnectedShop, SimulatedWhatsApp } from '../support/simulator.ts'
import { approved, newPhone } from '../support/simulator.ts'
import { setPlan } from '../support/records/accounts.ts'
import { setAssistant } from '../support/records/assistant.ts'
import { addContact, contactsOf } from '../support/records/contacts.ts'
import type { ConversationRecord } from '../support/records/conversations.ts'
import { conversationsOf, putConversation } from '../support/records/conversations.ts'
import { flowsOf } from '../support/records/flows.ts'
import { addMessage, messagesOf } from '../support/records/messages.ts'
import { putRun } from '../support/records/runs.ts'
import { customerWrites, newWamid } from '../support/whatsapp-webhook.ts'
import type { World } from '../support/world.ts'
import { publish } from './routing-flows.ts'

export type FlowOfCase = {
  name: string
  trigger: string
  words?: string[]
  match?: string
  interrupts?: boolean
  template?: string
  button?: string
  live?: boolean
  /** False for a flow of another channel of the shop. */
  onChannel?: boolean
}

export type RunOfCase = {
  flow: string
  state: 'asks' | 'waits' | 'working' | 'ended'
  afterTakeOver?: boolean
  /** True for a run that started before the others, whenever it began to wait. */
  startedFirst?: boolean
  template?: string
}

export type Situation = {
  channelType?: ChannelType
  plan?: string
  planBefore?: string
  assistant?: boolean
  contact?: 'known' | 'new' | 'opted_out'
  conversation?: 'open' | 'none' | 'resolved' | 'business_first' | 'hook_first'
  staff?: 'handover' | 'take_over' | 'assigned' | 'given_back' | null
  wasAssigned?: boolean
  flows?: FlowOfCase[]
  runs?: RunOfCase[]
}

export type Around = { world: World; whatsApp: SimulatedWhatsApp }

/** The shop and the channel of the customer who writes. */
export type Place = Pick<ConnectedShop, 'accountId' | 'companyId' | 'channelId'>

export type Built<Shop extends Place = ConnectedShop> = {
  shop: Shop
  owner: Member
  phone: string
  flowIds: Map<string, string>
  /** The runs by flow, in the order of the case. */
  runIds: Map<string, string>
  /** A message that the customer wrote before. */
  knownId: string
  /** Sends a text of the customer, by the route of their channel. */
  says(text: string): Promise<void>
  /**
   * Writes to the customer by a hook of the shop. Returns the id of its run. Null on channels where no business writes
   * first.
   */
  order: (() => Promise<string>) | null
  settle(): Promise<void>
}

/** A case's shop before anything is built in it. */
export type Opened<Shop extends Place = ConnectedShop> = Omit<Built<Shop>, 'flowIds' | 'runIds'>

const TEMPLATE_BODY = [
  { type: 'BODY', text: 'Hello from the shop.' },
  { type: 'BUTTONS', buttons: ['Yes', 'No'].map((text) => ({ type: 'QUICK_REPLY', text })) },
]
const KNOWN_ID = 'wamid.known'
const KINDS: readonly string[] = [
  'keyword',
  'conversation_started',
  'template_button',
  'manual',
  'webhook',
  'appointment_reminder',
] satisfies TriggerKind[]

/** Returns why the service cannot be brought into a situation, or null when it can. */
export function whyNotBuilt({ channelType, flows = [] }: Situation): string | null {
  if (channelType !== undefined && !CHANNEL_TYPES.some((one) => one === channelType)) {
    return `the service cannot connect a channel "${channelType}"`
  }
  const strange = flows.find(({ trigger }) => !KINDS.includes(trigger))
  return strange ? `the service has no trigger "${strange.trigger}"` : null
}

export async function build(
  { world, whatsApp }: Around,
  situation: Situation,
  templates: readonly string[],
): Promise<Built> {
  const shop = await whatsApp.openShop({
    templates: templates.map((name) => approved(name, 'en', TEMPLATE_BODY)),
  })
  const owner = await signedIn(world, { accountId: shop.accountId })
  const phone = newPhone()
  const knownId = `${KNOWN_ID}.${phone.slice(1)}`
  // The posts of messages bypass the simulator, so it does not know that the window is open.
  const hours = -(world.clock.now().getTime() / HOUR_MS + 1_000)
  whatsApp.simulator.advanceWindow({ from: phone, phoneNumberId: shop.phoneNumberId, hours })
  let hasWritten = false
  return buildIn(world, situation, {
    shop,
    owner,
    phone,
    knownId,
    async says(text) {
      await customerWrites(world, shop, { from: phone, text, ...(!hasWritten && { id: knownId }) })
      hasWritten = true
    },
    order: () => shop.order(phone),
    settle: () => whatsApp.settle(),
  })
}

/** Builds the situation in a shop that is open already, on a channel of any type. */
export async function buildIn<Shop extends Place>(
  world: World,
  situation: Situation,
  opened: Opened<Shop>,
): Promise<Built<Shop>> {
  const { flows = [], runs = [], conversation, contact } = situation
  const { shop, owner, settle } = opened
  const built: Built<Shop> = { ...opened, flowIds: new Map(), runIds: new Map() }
  await setPlan(world, shop, situation.planBefore ?? 'business')
  await meet(world, built, situation)
  for (const flow of flows) await publish(world, built, flow, situation)
  if (conversation === 'business_first') await writeFirst(world, built)
  if (contact === 'opted_out') await optOut(world, built)
  const begin = async (run: RunOfCase) => {
    world.clock.advance(MINUTE_MS + 1)
    await beginRun(world, built, run, situation)
    await settle()
  }
  const byStart = runs.toSorted((a, b) => Number(b.startedFirst ?? 0) - Number(a.startedFirst ?? 0))
  for (const run of byStart) if (!run.afterTakeOver) await begin(run)
  if (situation.wasAssigned)
    await change(world, built, [{ kind: 'assign', assigneeId: owner.personId }])
  await change(world, built, STAFF[situation.staff ?? 'none']!(owner.personId))
  for (const run of byStart) if (run.afterTakeOver) await begin(run)
  if (conversation === 'resolved') await change(world, built, [{ kind: 'resolve', isBulk: false }])
  for (const { name, live } of flows) {
    if (live !== false) continue
    await owner.ask('PATCH', `/companies/${shop.companyId}/flows/${built.flowIds.get(name)!}`, {
      isOn: false,
    })
  }
  for (const [place, run] of runs.entries()) await moveOn(world, built, run, place)
  if (situation.plan) await setPlan(world, shop, situation.plan)
  // The assistant is on only from here, so that nothing but staff has answered the earlier
  // messages.
  if (situation.assistant ?? true) await setAssistant(world, shop)
  world.clock.advance(11 * MINUTE_MS)
  await settle()
  return built
}

/** Makes the customer known to the shop, by what they wrote or, without a conversation, by the number alone. */
async function meet(
  world: World,
  built: Built<Place>,
  { conversation = 'open', contact = 'known' }: Situation,
): Promise<void> {
  const { shop, phone } = built
  if (contact === 'new') return
  if (conversation === 'open' || conversation === 'resolved') {
    await built.says('hello before')
    await built.settle()
    // The first message was not answered, as there was no flow yet, and staff is not needed for it.
    await change(world, built, [{ kind: 'give_back' }])
  }
  if (conversation === 'none' && phone !== '') {
    await addContact(world, shop, { phone, name: 'Sara' })
  }
}

const STAFF: Record<string, (personId: string) => ConversationChange[]> = {
  none: () => [],
  handover: () => [{ kind: 'hand_over', reason: 'customer_asked_for_person', reasonText: null }],
  take_over: () => [{ kind: 'take_over', assigneeId: null }],
  assigned: (assigneeId) => [{ kind: 'assign', assigneeId }],
  given_back: () => [{ kind: 'take_over', assigneeId: null }, { kind: 'give_back' }],
}

/** Returns the only conversation of the shop, or undefined before there is one. */
export const conversationOf = async (
  world: World,
  { shop: { companyId } }: Pick<Built<Place>, 'shop'>,
): Promise<ConversationRecord | undefined> => (await conversationsOf(world, { companyId }))[0]

/** Changes the conversation as a member of the shop, if there is one. */
async function change(world: World, built: Built<Place>, changes: readonly ConversationChange[]) {
  const conversation = await conversationOf(world, built)
  if (!conversation || changes.length === 0) return
  const { db, clock, ids } = world.service.context
  const by = { kind: 'member', personId: built.owner.personId } as const
  const at = { companyId: built.shop.companyId, conversationId: conversation.id, by }
  await transaction(db, (tx) =>
    transitionConversations(
      tx,
      { ids, now: clock.now() },
      changes.map((one) => ({ ...at, change: one })),
    ),
  )
  await world.service.processAll()
}

/** Opts the customer out by their word, or as a member does for one who has written nothing here. */
async function optOut(world: World, built: Built<Place>): Promise<void> {
  if ((await messagesOf(world, { companyId: built.shop.companyId, direction: 'in' })).length > 0) {
    await built.says('STOP')
    return built.settle()
  }
  for (const { id } of await contactsOf(world, built.shop)) {
    await built.owner.ask('POST', `/companies/${built.shop.companyId}/contacts/${id}/opt-out`)
  }
}

/** Sends a template of the business as the first message. */
async function writeFirst(world: World, built: Built<Place>): Promise<void> {
  await order(built)
  await putConversation(world, (await conversationOf(world, built))!.id, { announcedAt: null })
}

function order({ order: byHook }: Built<Place>): Promise<string> {
  if (!byHook) throw new Error('nobody is written to first on this channel')
  return byHook()
}

async function beginRun(
  world: World,
  built: Built<Place>,
  { flow }: RunOfCase,
  { conversation, flows = [] }: Situation,
): Promise<void> {
  const { shop, flowIds, runIds } = built
  const { accountId, companyId, channelId } = shop
  // A hook of the shop makes the conversation, and its run is skipped.
  if (conversation === 'hook_first' && !(await conversationOf(world, built))) {
    const id = await order(built)
    await putRun(world, id, { status: 'skipped', endedAt: world.clock.now(), dueAt: null })
  }
  const { db, clock, ids } = world.service.context
  const row = (await conversationOf(world, built))!
  const flowId = flowIds.get(flow)!
  const { publishedVersionId } = (await flowsOf(world, shop)).find(({ id }) => id === flowId)!
  const [id] = await transaction(db, (tx) =>
    startRuns(tx, { ids, now: clock.now() }, [
      {
        accountId,
        companyId,
        channelId,
        flowId,
        flowVersionId: publishedVersionId!,
        conversationId: row.id,
        contactId: row.contactId,
        triggerKind: flows.find(({ name }) => name === flow)!.trigger as TriggerKind,
        triggerMessageId: null,
        idempotencyKey: null,
        language: null,
        variables: {},
      },
    ]),
  )
  runIds.set(flow, id!)
}

/** Moves a run that waits for an answer to the state of the case. */
async function moveOn(
  world: World,
  { shop, owner, runIds }: Built<Place>,
  run: RunOfCase,
  place: number,
): Promise<void> {
  const id = runIds.get(run.flow)!
  if (run.state === 'ended') {
    await owner.ask('POST', `/companies/${shop.companyId}/runs/${id}/cancel`)
  }
  if (run.state === 'asks') {
    // The runs of a case are in the order in which they began to wait.
    const waitingSince = new Date(world.clock.now().getTime() + place)
    await putRun(world, id, { waitingSince })
  }
  if (run.state !== 'working') return
  const atWork = { status: 'running', waitKind: null, waitUntil: null, waitingSince: null } as const
  await putRun(world, id, { ...atWork, dueAt: null })
}

/** Stores a template that a member sent by hand, long ago. Returns its id at the provider. */
export async function sentByHand(
  { world }: Pick<Around, 'world'>,
  built: Built,
  templateName: string,
): Promise<string> {
  const conversationId = (await conversationOf(world, built))!.id
  const providerMessageId = newWamid()
  const sent = { text: 'Hello from the shop.', templateName, status: 'delivered' }
  await addMessage(world, { ...built.shop, conversationId }, { ...sent, providerMessageId })
  return providerMessageId
}
