import { isStaffHandling } from '../../src/rules/messaging/take-over.ts'
import { buttonPayload } from '../../src/rules/flows/button-payload.ts'
import { parseOptOutKeyword } from '../../src/rules/messaging/opt-out-word.ts'
import type { ChannelType } from '../../src/core/vocabulary/channels.ts'
import { startModelServer } from '../support/model-server.ts'
import { say } from '../support/model-turns.ts'
import { simulateWhatsApp } from '../support/simulator.ts'
import {
  echoed,
  newWamid,
  postWebhook,
  receipt,
  webhookOf,
  written,
} from '../support/whatsapp-webhook.ts'
import { createWorldOn, type World } from '../support/world.ts'
import { startPrivateDatabase } from './private-database.ts'
import type { ConformanceCase, Report } from './report.ts'
import { whyNotExpressed, type Expected, type Message, type RoutingCase } from './routing-case.ts'
import { inShopOn } from './routing-channels.ts'
import {
  build,
  conversationOf,
  sentByHand,
  whyNotBuilt,
  type Around,
  type Built,
  type Place,
} from './routing-setup.ts'

/**
 * Each case by the provider's webhook against a service in process, with a moved clock and the simulator
 * behind it. The assistant is a model of the runner that answers each request with one fixed text.
 */
export async function run(cases: ConformanceCase[], report: Report): Promise<void> {
  const chosen = (cases as unknown as RoutingCase[]).filter((one) => {
    const why = whyNotExpressed(one) ?? whyNotBuilt(one.situation)
    if (why !== null) report.fail(one.id, why)
    return why === null
  })
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

/** On another channel a customer writes; what is theirs alone there is not in these cases. */
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
  { message, ...one }: RoutingCase,
  send: (nth: number) => Promise<void>,
): Promise<unknown> {
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
  const accepted = [one.expect, ...(one.also_accept ?? [])]
  return accepted.some((expected) => isAs(seen, expected)) ? 'as expected' : seen
}

type Pointer = { wamid: string; payload: string | null }

/** What the message presses or quotes. */
async function point(around: Around, built: Built, message: Message): Promise<Pointer | null> {
  const { run: runName, template } = message.presses ?? message.quotes ?? {}
  if (template !== undefined) {
    return { wamid: await sentByHand(around, built, template), payload: message.text }
  }
  if (runName === undefined) return null
  const runId = built.runIds.get(runName)!
  const said = await around.world.database.db.kysely
    .selectFrom('message')
    .select(['providerMessageId', 'templateName'])
    .where('runId', '=', runId)
    .orderBy('templateName', (order) => order.asc().nullsLast())
    .executeTakeFirstOrThrow()
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
  const button = { type: 'button', button: { payload: pointed?.payload ?? text, text } }
  const changes = {
    text: () => written({ from, text, ...quotes }),
    tap: () => says(button),
    image: () =>
      says({
        type: 'image',
        image: { id: '1', mime_type: 'image/jpeg', caption: message.text ?? undefined },
      }),
    reaction: () => says({ type: 'reaction', reaction: { message_id: ownWamid, emoji: '👍' } }),
    edit: () =>
      says({
        type: 'edit',
        edit: { original_message_id: ownWamid, message: { type: 'text', text: { body: text } } },
      }),
    echo: () =>
      echoed({ to: from, text, at: new Date(world.clock.now().getTime() - 400 * 3_600_000) }),
    receipt: () => receipt({ id: ownWamid, status: 'read', timestamp: '1', recipient_id: from }),
    redelivered: () => written({ from, text, id: knownId }),
    history: () => ({
      field: 'history',
      value: {
        history: [
          {
            metadata: { phase: 0, chunk_order: 1, progress: 100 },
            threads: [
              {
                id: from,
                messages: [
                  {
                    from,
                    id: newWamid(),
                    timestamp: '1700000000',
                    type: 'text',
                    text: { body: text },
                  },
                ],
              },
            ],
          },
        ],
      },
    }),
  }
  if (!Object.hasOwn(changes, message.type)) throw new Error(`no message "${message.type}"`)
  const made = changes[message.type as keyof typeof changes]()
  const status = await postWebhook(world, webhookOf(shop, [made]))
  if (status !== 200) throw new Error(`the webhook was answered ${status}`)
}

type Looked = {
  runs: Map<string, { flow: string; isOpen: boolean }>
  replies: Set<string>
  /** What the assistant has said. */
  assistantSaid: Set<string>
  /** Types by id. */
  events: Map<string, string>
}

async function look(world: World, { shop, flowIds }: Built<Place>): Promise<Looked> {
  const { kysely } = world.database.db
  const names = new Map([...flowIds].map(([name, id]) => [id, name]))
  const runs = await kysely
    .selectFrom('flowRun')
    .select(['id', 'flowId', 'endedAt'])
    .where('companyId', '=', shop.companyId)
    .execute()
  const replies = await kysely
    .selectFrom('flowRunReply')
    .select(['runId', 'messageId'])
    .where('companyId', '=', shop.companyId)
    .execute()
  const said = await kysely
    .selectFrom('message')
    .select('id')
    .where('companyId', '=', shop.companyId)
    .where('sender', '=', 'assistant')
    .execute()
  const events = await kysely
    .selectFrom('event')
    .select(['id', 'type'])
    .where('companyId', '=', shop.companyId)
    .execute()
  return {
    assistantSaid: new Set(said.map(({ id }) => id)),
    events: new Map(events.map(({ id, type }) => [id, type])),
    runs: new Map(
      runs.map(({ id, flowId, endedAt }) => [
        id,
        { flow: names.get(flowId) ?? 'of the shop', isOpen: endedAt === null },
      ]),
    ),
    replies: new Set(replies.map(({ runId, messageId }) => `${runId} ${messageId}`)),
  }
}

async function isOptedOut(world: World, { shop }: Built<Place>): Promise<boolean> {
  const row = await world.database.db.kysely
    .selectFrom('contact')
    .select('optedOutAt')
    .where('companyId', '=', shop.companyId)
    .executeTakeFirst()
  return row !== undefined && row.optedOutAt !== null
}

type Seen = Required<Omit<Expected, 'entry'>> & { entry: string | null }

async function see(
  world: World,
  built: Built<Place>,
  before: Looked,
  isDone: boolean,
): Promise<Seen> {
  const { kysely } = world.database.db
  const { companyId } = built.shop
  const after = await look(world, built)
  const started = [...after.runs].filter(([id]) => !before.runs.has(id)).map(([, { flow }]) => flow)
  const woken = new Set(
    [...after.replies]
      .filter((reply) => !before.replies.has(reply))
      .map((reply) => reply.split(' ')[0]!),
  )
  if (started.length > 1 || woken.size > 1)
    throw new Error(`started ${started.join()}, woke ${woken.size}`)
  const wakes = [...woken].map((id) => after.runs.get(id)!.flow)[0] ?? null
  const ended = await kysely
    .selectFrom('flowRun')
    .select(['id', 'status', 'endReason'])
    .where('companyId', '=', companyId)
    .where('endedAt', 'is not', null)
    .execute()
  const ends = ended.flatMap(({ id, status, endReason }) => {
    const was = before.runs.get(id)
    return was?.isOpen ? [[was.flow, endReason ?? status] as const] : []
  })
  const conversation = await conversationOf(world, built)
  const raises = [...after.events].filter(([id]) => !before.events.has(id)).map(([, type]) => type)
  const isForStaff =
    conversation !== undefined &&
    raises.includes('message.received') &&
    !isDone &&
    (conversation.needsStaff || isStaffHandling(conversation, world.clock.now()))
  const entry = await kysely
    .selectFrom('conversationEntry')
    .select('data')
    .where('companyId', '=', companyId)
    .where('kind', '=', 'flow_kept_out')
    .orderBy('id', 'desc')
    .executeTakeFirst()
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

function isAs(seen: Seen, expected: Expected): boolean {
  const told = expected.raises?.flatMap((line) => {
    const [type, times = '1'] = line.split(' x')
    return Array<string>(Number(times)).fill(type!)
  })
  const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  return (
    (expected.answeredBy ?? seen.answeredBy) === seen.answeredBy &&
    (expected.starts === undefined || expected.starts === seen.starts) &&
    (expected.wakes === undefined || expected.wakes === seen.wakes) &&
    (expected.ends === undefined ||
      isEqual(Object.entries(expected.ends).toSorted(), Object.entries(seen.ends).toSorted())) &&
    (told === undefined || isEqual(told.toSorted(), seen.raises.toSorted())) &&
    (expected.staffNeeded ?? seen.staffNeeded) === seen.staffNeeded &&
    (expected.entry === undefined || expected.entry === seen.entry)
  )
}
