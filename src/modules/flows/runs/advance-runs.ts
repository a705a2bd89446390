/**
 * A batch of turns, of many runs in one transaction: what each of them alone would ask of the database
 * is asked of it once. Runs that somebody else holds are late, and come in a later batch; of one
 * conversation there is one run in a batch.
 */
import type { Transaction } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { raiseEvents, type EventToRaise } from '../../events/raise-event.ts'
import { takeFilesToSend } from '../../files/files-to-send.ts'
import { abandonSends } from '../../messaging/abandon-sends.ts'
import {
  newMessageId,
  queueMessages,
  type ClaimForChannel,
  type ClaimedMessage,
  type MessageToQueue,
} from '../../messaging/queue-message.ts'
import { readTemplatesToSend } from '../../messaging/read-templates-to-send.sql.ts'
import { reserveTemplates } from '../../messaging/template-allowance.ts'
import type { ReadVersion } from '../design/load-version.ts'
import type { ClaimedRun } from './run-queue.ts'
import { runInlineEffects, type InlineEffectDeps } from './run-inline-effects.ts'
import { eventOfEnd } from './end-run.ts'
import type { Called, PendingCall } from './make-step-call.ts'
import { awaitSend, planAdvance, refuseSend, refuseStep } from './plan-advance.ts'
import type { RunPlan } from './planned-turn.ts'
import { prepareSend, quotaExceeded, type PreparedSend, type SendMaterial } from './prepare-send.ts'
import { readFieldDesigns, type FieldDesigns } from './read-field-designs.sql.ts'
import { lockRuns, loadRuns, type LoadedRunRow } from './load-runs.sql.ts'
import { writeMutations } from './write-mutations.ts'
import { writeAdvances } from './write-advances.sql.ts'

export type RunToAdvance = {
  /** `wasAccepted`: its message, as whoever settled it has just heard. */
  run: ClaimedRun & { wasAccepted?: boolean }
  /**
   * What came of the call that the turn before asked for; null on a first turn. Given again because the
   * confirmation of its commit was lost, it counts once.
   */
  called: Called | null
}

export type AdvanceResult =
  | ({ kind: 'call' } & PendingCall)
  /** The run waits, has ended, or is no longer ours. What it has queued is to be handed over. */
  | { kind: 'rest'; queued: ClaimedMessage[] }
  /** Somebody else holds it. */
  | { kind: 'late' }
  /** It cannot be planned; nothing of it is written. */
  | { kind: 'faulty'; error: unknown }

export type AdvanceDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  readVersion: ReadVersion
  /** Where customers' own pages lie. */
  publicUrl(): string
  eagerClaimFor: ClaimForChannel
}

/** Takes a turn of each; answers them in their order. Throws when any cannot be written. */
export async function advanceRuns(
  deps: AdvanceDeps,
  asked: readonly RunToAdvance[],
): Promise<AdvanceResult[]> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const turns = new Map<string, AdvanceResult>()
    // What errands raise is told after what the turns have done to contacts.
    const held: EventToRaise[] = []
    const errands = { ids: deps.ids, now, publicUrl: deps.publicUrl, held }
    // 1  conversations, then runs
    const locked = await lockRuns(
      tx,
      asked.map(({ run }) => run),
    )
    for (const { run } of asked) {
      turns.set(run.id, locked.has(run.id) ? { kind: 'rest', queued: [] } : { kind: 'late' })
    }
    // 2  what they depend on, and what they come to
    const plans = await planAll(tx, deps, asked, locked, turns, now)
    // 3  what they have done and send; 4 and 5, in order, the places of its templates
    const messages = await prepareAll(tx, deps, plans, turns, errands)
    // 6  all of it
    const queued = await queueMessages(tx, { now, eagerClaimFor: deps.eagerClaimFor }, messages)
    await writeAdvances(tx, now, plans)
    for (const { hand } of plans.filter(({ givesUp }) => givesUp)) {
      await abandonSends(tx, now, hand.run.id)
    }
    await writeMutations(tx, { ids: deps.ids, now }, plans, held)
    // 7  what is told of them
    await raiseEvents(
      tx,
      { ids: deps.ids, now },
      plans.flatMap(({ hand, end, state }) => {
        const event = end && eventOfEnd(hand, end, state.variables, now)
        return event ? [event] : []
      }),
    )
    for (const { hand, call } of plans) {
      if (call) turns.set(hand.run.id, { kind: 'call', ...call })
    }
    messages.forEach(({ id, by }) => {
      if (by.kind !== 'flow_run') return
      const inHand = queued.filter((message) => message.id === id)
      turns.set(by.runId, { kind: 'rest', queued: inHand })
    })
    return asked.map(({ run }) => turns.get(run.id)!)
  })
}

async function planAll(
  tx: Transaction<DB>,
  deps: AdvanceDeps,
  asked: readonly RunToAdvance[],
  locked: ReadonlySet<string>,
  turns: Map<string, AdvanceResult>,
  now: Date,
): Promise<RunPlan[]> {
  if (locked.size === 0) return []
  const byRun = new Map(asked.map((one) => [one.run.id, one]))
  const found: { hand: LoadedRunRow; definition: FlowDefinition; companyId: string }[] = []
  for (const hand of await loadRuns(tx, [...locked])) {
    // Its lease went to another worker.
    if (hand.run.claimId !== byRun.get(hand.run.id)!.run.claimId) continue
    const { definition } = await deps.readVersion(tx, hand.run.flowVersionId)
    found.push({ hand, definition, companyId: hand.run.companyId })
  }
  const designs = await readFieldDesigns(tx, found)
  const plans: RunPlan[] = []
  for (const { hand: alone, definition, companyId } of found) {
    const hand = { ...alone, fields: designs.get(companyId) ?? NO_FIELDS }
    const { run, called } = byRun.get(hand.run.id)!
    // A turn that has committed may have taken the outcome already, and the run has gone on since.
    const isOfThisStep = called?.closed.number === hand.run.steps
    try {
      plans.push(planAdvance(hand, definition, isOfThisStep ? called : null, now, run.wasAccepted))
    } catch (error) {
      turns.set(run.id, { kind: 'faulty', error })
    }
  }
  return plans
}

const NO_FIELDS: FieldDesigns = new Map()

/**
 * Does the errands of the turns, and fills in what they send. A turn whose message may not go takes the way for that, which may send
 * another; one that finds no place for its template ends.
 */
async function prepareAll(
  tx: Transaction<DB>,
  { ids }: AdvanceDeps,
  plans: RunPlan[],
  turns: Map<string, AdvanceResult>,
  errands: InlineEffectDeps,
): Promise<MessageToQueue[]> {
  const { now } = errands
  const ready: ReadySend[] = []
  // What their errands have done is in the transaction: they cannot be left out of the batch any more.
  const acted = new Set<RunPlan>()
  const doAll = async (doing: readonly RunPlan[]) => {
    for (const plan of doing.filter(({ errand }) => errand !== null)) acted.add(plan)
    await runInlineEffects(tx, errands, doing)
  }
  await doAll(plans)
  for (let sending = plans.filter(isSending); sending.length > 0;) {
    const material = await readMaterial(tx, sending)
    const again: RunPlan[] = []
    for (const plan of sending) {
      try {
        const prepared = prepareSend(plan.hand, plan.send!.content, material, now)
        if (prepared.kind === 'ready') {
          ready.push({ plan, prepared })
          continue
        }
        refuseSend(plan, prepared.detail!, now)
        again.push(plan)
      } catch (error) {
        if (acted.has(plan)) throw error
        turns.set(plan.hand.run.id, { kind: 'faulty', error })
        plans.splice(plans.indexOf(plan), 1)
      }
    }
    await doAll(again)
    sending = again.filter(isSending)
  }
  const templates = ready.filter(({ prepared }) => prepared.content.kind === 'template')
  const outcomes = await reserveTemplates(
    tx,
    now,
    templates.map(({ plan }) => templateSendOf(plan)),
  )
  const refused = new Map(templates.map(({ plan }, place) => [plan, outcomes[place]!]))
  return ready.flatMap(({ plan, prepared }) => {
    const { hand, send } = plan
    const by = refused.get(plan) ?? 'reserved'
    if (by !== 'reserved') {
      refuseStep(plan, send!.stepId, send!.stepKind, quotaExceeded(hand, by), now)
      return []
    }
    return [toQueue(plan, prepared, newMessageId(ids))]
  })
}

type ReadySend = { plan: RunPlan; prepared: Extract<PreparedSend, { kind: 'ready' }> }

const isSending = ({ send }: RunPlan) => send !== null

async function readMaterial(tx: Transaction<DB>, plans: readonly RunPlan[]): Promise<SendMaterial> {
  const versions = await readTemplatesToSend(
    tx,
    plans.flatMap(({ hand, send }) =>
      send!.content.kind === 'template'
        ? [{ channelId: hand.channel.id, name: send!.content.template }]
        : [],
    ),
  )
  const files = await takeFilesToSend(
    tx,
    plans.flatMap(({ hand: { run }, send }) =>
      send!.content.kind === 'media'
        ? [{ companyId: run.companyId, fileId: send!.content.fileId }]
        : [],
    ),
  )
  return { versions, files }
}

function toQueue(
  plan: RunPlan,
  { content, text }: ReadySend['prepared'],
  id: string,
): MessageToQueue {
  const { hand } = plan
  awaitSend(plan, id)
  return {
    id,
    companyId: hand.run.companyId,
    conversationId: hand.conversation.id,
    channel: hand.channel,
    by: { kind: 'flow_run' as const, runId: hand.run.id },
    key: `${hand.run.id}:${plan.change!.steps}`,
    content,
    text,
    templateSend: content.kind === 'template' ? templateSendOf(plan) : null,
  }
}

function templateSendOf({ hand: { accountId, run, templatesPerDay } }: RunPlan) {
  return {
    accountId,
    companyId: run.companyId,
    contactId: run.contactId,
    runId: run.id,
    perDay: templatesPerDay,
  }
}
