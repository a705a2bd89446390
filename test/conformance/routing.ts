import { isDeepStrictEqual } from 'node:util'
import { isStaffHandling } from '../../src/rules/messaging/take-over.ts'
import { buttonPayload } from '../../src/rules/flows/button-payload.ts'
import { parseOptOutKeyword } from '../../src/rules/messaging/opt-out-word.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { startModelServer } from '../support/model-server.ts'
import { say } from '../support/model-turns.ts'
import { defined } from '../support/defined.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { eventsOf } from '../support/records/events.ts'
import { entriesOf } from '../support/records/handovers.ts'
import { messagesOf } from '../support/records/messages.ts'
import { ofEach } from '../support/records/records.ts'
import { repliesTo, runsOf, type RunRecord } from '../support/records/runs.ts'
import { simulateWhatsApp } from '../support/simulator.ts'
import {
  echoed,
  editOf,
  historyOf,
  postChanges,
  reactionTo,
  receipt,
  written,
} from '../support/whatsapp-webhook.ts'
import { createWorldOn, type World } from '../support/world.ts'
import { acceptedBy, expressible } from './cases.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'
import { whyNotExpressed, type Expected, type Message, type RoutingCase } from './routing-case.ts'
import { inShopOn } from './routing-channels.ts'
import type { Around, Built, Place } from './routing-setup.ts'
import { build, conversationOf, sentByHand, whyNotBuilt } from './routing-setup.ts'

/**
 * Runs each case by the provider's webhook against a service in process, with a clock that the case moves and the
 * simulator behind it. The assistant's model answers each request with one fixed text.
 */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const chosen = expressible<RoutingCase>(
    cases,
    report,
    (one) => whyNotExpressed(one) ?? whyNotBuilt(one.situation),
  )
  if (chosen.length === 0) return
  const model = await startModelServer()
  model.otherwise = say('One fixed text.')
  const operator = { modelName: 'fixed', baseUrl: model.baseUrl, key: null, isScripted: false }
  const world = await createWorldOn(await startPrivateDatabase(), {
    operatorModel: () => ({ kind: 'openai_compatible', ...operator }),
  })
  const whatsApp = await simulateWhatsApp(world)
  try {
    for (const one of chosen) {
      const { channelType = 'whatsapp' } = one.situation
      const read = () =>
        channelType === 'whatsapp'
          ? onWhatsApp({ world, whatsApp }, one)
          : onChannel(world, channelType, one)
      await report.check(one.id, read, ['as expected'])
    }
  } finally {
    await whatsApp.close()
    await world.close()
    await model.close()
  }
}

async function onWhatsApp(around: Around, one: RoutingCase): Promise<unknown> {
  const { situation, message } = one
  const names = [
    message.presses,
    message.quotes,
    ...(situation.flows ?? []),
    ...(situation.runs ?? []),
  ]
  const templates = new Set(['t1', ...names.flatMap((named) => named?.template ?? [])])
  const built = await build(around, situation, [...templates])
  const pointed = await point(around, built, message)
  return runCase(around.world, built, one, (nth) => deliver(around, built, message, pointed, nth))
}

/** Runs a case in which a customer writes on another channel. Such a case has only texts. */
async function onChannel(world: World, type: ChannelType, one: RoutingCase): Promise<unknown> {
  const { type: kind, presses, quotes, vary } = one.message
  if (kind !== 'text' || presses || quotes) throw new Error(`nobody sends "${kind}" on "${type}"`)
  return inShopOn(world, type, one.situation, (built) =>
    runCase(world, built, one, (nth) =>
      built.says(vary ? `${one.message.text ?? ''} ${nth}` : (one.message.text ?? '')),
    ),
  )
}

async function runCase(
  world: World,
  built: Built<Place>,
  one: RoutingCase,
  send: (nth: number) => Promise<void>,
): Promise<unknown> {
  const { message } = one
  const wasOptedOut = await isOptedOut(world, built)
  const before = await look(world, built)
  world.clock.advance(1)
  for (let nth = 0; nth < (message.repeat ?? 1); nth += 1) {
    if (nth > 0) world.clock.advance(message.everyMs ?? 0)
    await send(nth)
    await built.settle()
  }
  world.clock.advance(10_000)
  await built.settle()
  const word = message.type === 'text' ? parseOptOutKeyword(message.text ?? '') : null
  const isDone = word === 'stop' || (word === 'start' && wasOptedOut)
  const seen = await see(world, built, before, isDone)
  return acceptedBy(one).some((expected) => isAs(seen, expected)) ? 'as expected' : seen
}

type Pointer = { wamid: string; payload: string | null }

/** Returns the message and the payload that a press or a quote of the case refers to. */
async function point(around: Around, built: Built, message: Message): Promise<Pointer | null> {
  const { run: runName, template } = message.presses ?? message.quotes ?? {}
  if (template !== undefined) {
    return { wamid: await sentByHand(around, built, template), payload: message.text }
  }
  if (runName === undefined) return null
  const runId = built.runIds.get(runName)!
  const sent = await messagesOf(around.world, { runId })
  const said = sent.find(({ templateName }) => templateName !== null) ?? sent[0]!
  const stepId = said.templateName === null ? 'q1' : null
  return { wamid: said.providerMessageId!, payload: buttonPayload({ runId, stepId, option: 0 }) }
}

async function deliver(
  { world }: Around,
  built: Built,
  message: Message,
  pointed: Pointer | null,
  nth: number,
): Promise<void> {
  const { shop, phone, knownId } = built
  const text = message.vary ? `${message.text ?? ''} ${nth}` : (message.text ?? '')
  const from = phone.slice(1)
  const quotes = pointed ? { quotes: pointed.wamid } : {}
  const says = (content: Record<string, unknown>) => written({ from, ...quotes, content })
  const ownWamid = pointed?.wamid ?? knownId
  const image = { id: '1', mime_type: 'image/jpeg', caption: message.text ?? undefined }
  const button = { type: 'button', button: { payload: pointed?.payload ?? text, text } }
  const changes = {
    text: () => written({ from, text, ...quotes }),
    tap: () => says(button),
    image: () => says({ type: 'image', image }),
    reaction: () => says(reactionTo(ownWamid, '👍')),
    edit: () => says(editOf(ownWamid, text)),
    echo: () =>
      echoed({ to: from, text, at: new Date(world.clock.now().getTime() - 400 * 3_600_000) }),
    receipt: () => receipt({ id: ownWamid, status: 'read', timestamp: '1', recipient_id: from }),
    redelivered: () => written({ from, text, id: knownId }),
    history: () => historyOf({ from, text, at: new Date(1_700_000_000_000) }),
  }
  if (!Object.hasOwn(changes, message.type)) throw new Error(`no message "${message.type}"`)
  const made = changes[message.type as keyof typeof changes]()
  await postChanges(world, shop, made)
}

type Looked = {
  runs: Map<string, RunRecord>
  replies: Set<string>
  assistantSaid: Set<string>
  events: Map<string, string>
}

async function look(world: World, { shop: { companyId } }: Built<Place>): Promise<Looked> {
  const runs = await runsOf(world, { companyId })
  const replies = await ofEach(runs, ({ id }) => repliesTo(world, id))
  const said = await messagesOf(world, { companyId, sender: 'assistant' })
  const events = await eventsOf(world, { companyId })
  return {
    runs: new Map(runs.map((one) => [one.id, one])),
    replies: new Set(replies.map(({ runId, messageId }) => `${runId} ${messageId}`)),
    assistantSaid: new Set(said.map(({ id }) => id)),
    events: new Map(events.map(({ id, type }) => [id, type])),
  }
}

const isOptedOut = async (world: World, { shop }: Built<Place>): Promise<boolean> =>
  (await contactsOf(world, shop)).some(({ optedOutAt }) => optedOutAt !== null)

type Seen = Required<Omit<Expected, 'entry'>> & { entry: string | null }

async function see(
  world: World,
  built: Built<Place>,
  before: Looked,
  isDone: boolean,
): Promise<Seen> {
  const after = await look(world, built)
  const names = new Map([...built.flowIds].map(([name, id]) => [id, name]))
  const flowOf = ({ flowId }: RunRecord) => names.get(flowId) ?? 'of the shop'
  const started = [...after.runs.values()].filter(({ id }) => !before.runs.has(id)).map(flowOf)
  const answeredTo = [...after.replies].filter((reply) => !before.replies.has(reply))
  const woken = [...new Set(answeredTo.map((reply) => reply.split(' ')[0]!))]
  if (started.length > 1 || woken.length > 1)
    throw new Error(`started ${started.join()}, woke ${woken.length}`)
  const wakes = woken.map((id) => flowOf(after.runs.get(id)!))[0] ?? null
  const ends = [...after.runs.values()].flatMap((one) =>
    one.endedAt !== null && before.runs.get(one.id)?.endedAt === null
      ? [[flowOf(one), one.endReason ?? one.status] as const]
      : [],
  )
  const conversation = await conversationOf(world, built)
  const raises = [...after.events].filter(([id]) => !before.events.has(id)).map(([, type]) => type)
  const isForStaff =
    conversation !== undefined &&
    raises.includes('message.received') &&
    !isDone &&
    (conversation.needsStaff || isStaffHandling(conversation, world.clock.now()))
  const entries = conversation ? await entriesOf(world, conversation.id) : []
  const entry = entries.findLast(({ kind }) => kind === 'flow_kept_out')
  const [starts = null] = started
  const isAnswered = [...after.assistantSaid].some((id) => !before.assistantSaid.has(id))
  const byFlow = starts ? `flow:${starts}` : wakes ? `run:${wakes}` : null
  const answered = byFlow ?? (isAnswered && !isForStaff ? 'assistant' : null)
  return {
    answeredBy: answered ?? (isForStaff ? 'staff' : 'nobody'),
    starts,
    wakes,
    ends: Object.fromEntries(ends),
    raises,
    staffNeeded: conversation?.needsStaff ?? false,
    entry: entry ? (entry.data as { flow: { name: string } }).flow.name : null,
  }
}

function isAs(seen: Seen, { raises, staffNeeded, ...expected }: Expected): boolean {
  const told = raises?.flatMap((line) => {
    const [type, times = '1'] = line.split(' x')
    return Array<string>(Number(times)).fill(type!)
  })
  const asSet = (one: Seen) => ({ ...one, raises: one.raises.toSorted() })
  const wanted = {
    ...seen,
    ...defined(expected),
    raises: told ?? seen.raises,
    staffNeeded: staffNeeded ?? seen.staffNeeded,
  }
  return isDeepStrictEqual(asSet(wanted), asSet(seen))
}
