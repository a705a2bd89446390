/**
 * Advances many runs in one transaction, with one statement per kind of read or write instead of one per run. Runs
 * that another transaction has locked are retried in a later batch. A batch has at most one run per conversation.
 */
import type { Transaction } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { transaction } from '../../../infra/database/transaction.ts'
import { raiseEvents, type EventToRaise } from '../../events/raise-event.ts'
import { lockFilesToSend } from '../../files/files-to-send.ts'
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
import type { StepCallResult, PendingCall } from './make-step-call.ts'
import { awaitSend, planAdvance, refuseSend, refuseStep } from './plan-advance.ts'
import type { RunPlan } from './run-plan.ts'
import { prepareSend, quotaExceeded, type PreparedSend, type SendMaterial } from './prepare-send.ts'
import { readFieldsOfFlows, type FieldDesigns } from './read-fields-of-flows.sql.ts'
import { lockRuns, loadRuns, type LoadedRunRow } from './load-runs.sql.ts'
import { writeMutations } from './write-mutations.ts'
import { writeAdvances } from './write-advances.sql.ts'

/** A claimed run to advance. */
export type RunToAdvance = {
  /** `wasAccepted`: the provider has just accepted the run's message. */
  run: ClaimedRun & { wasAccepted?: boolean }
  /**
   * The result of the call that the previous advance requested; null on the first one. Idempotent: it may be passed
   * again when the acknowledgement of its commit was lost.
   */
  called: StepCallResult | null
}

/** The result of one advance. */
export type AdvanceResult =
  | ({ kind: 'call' } & PendingCall)
  /** The run waits, has ended, or has lost its claim. Pass what it has queued to the send worker. */
  | { kind: 'idle'; queued: ClaimedMessage[] }
  /** Another transaction has locked the run. */
  | { kind: 'locked' }
  /** The run cannot be planned; nothing of it was written. */
  | { kind: 'failed'; error: unknown }

/** The part of an advance's result that concerns its caller. */
export type AdvanceOutcome = Extract<AdvanceResult, { kind: 'call' | 'idle' }>

/** The dependencies of an advance. */
export type AdvanceDeps = Pick<Context, 'db' | 'clock' | 'ids'> & {
  readVersion: ReadVersion
  /** The base URL of customers' public pages. */
  publicUrl(): string
  eagerClaimFor: ClaimForChannel
}

/** Advances each run and returns the results in their order. Throws when any write fails. */
export async function advanceRuns(
  deps: AdvanceDeps,
  requested: readonly RunToAdvance[],
): Promise<AdvanceResult[]> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const results = new Map<string, AdvanceResult>()
    // Events of inline effects are raised after the changes of contacts.
    const held: EventToRaise[] = []
    const effects = { ids: deps.ids, now, publicUrl: deps.publicUrl, held }
    // 1  lock conversations, then runs
    const locked = await lockRuns(
      tx,
      requested.map(({ run }) => run),
    )
    for (const { run } of requested) {
      results.set(run.id, locked.has(run.id) ? { kind: 'idle', queued: [] } : { kind: 'locked' })
    }
    // 2  load the inputs and plan
    const plans = await planAll(tx, deps, requested, locked, results, now)
    // 3  run inline effects and prepare sends; 4 and 5  reserve the quotas of templates
    const messages = await prepareAll(tx, deps, plans, results, effects)
    // 6  write everything
    const queued = await queueMessages(tx, { now, eagerClaimFor: deps.eagerClaimFor }, messages)
    await writeAdvances(tx, now, plans)
    for (const { loaded } of plans.filter(({ abandonsSends }) => abandonsSends)) {
      await abandonSends(tx, now, loaded.run.id)
    }
    await writeMutations(tx, { ids: deps.ids, now }, plans, held)
    // 7  raise events
    await raiseEvents(
      tx,
      { ids: deps.ids, now },
      plans.flatMap(({ loaded, end, state }) => {
        const event = end && eventOfEnd(loaded, end, state.variables, now)
        return event ? [event] : []
      }),
    )
    for (const { loaded, call } of plans) {
      if (call) results.set(loaded.run.id, { kind: 'call', ...call })
    }
    messages.forEach(({ id, by }) => {
      if (by.kind !== 'flow_run') return
      const ofRun = queued.filter((message) => message.id === id)
      results.set(by.runId, { kind: 'idle', queued: ofRun })
    })
    return requested.map(({ run }) => results.get(run.id)!)
  })
}

async function planAll(
  tx: Transaction<DB>,
  deps: AdvanceDeps,
  requested: readonly RunToAdvance[],
  locked: ReadonlySet<string>,
  results: Map<string, AdvanceResult>,
  now: Date,
): Promise<RunPlan[]> {
  if (locked.size === 0) return []
  const byRun = new Map(requested.map((one) => [one.run.id, one]))
  const found: { loaded: LoadedRunRow; definition: FlowDefinition; companyId: string }[] = []
  for (const loaded of await loadRuns(tx, [...locked])) {
    // Another worker holds the lease now.
    if (loaded.run.claimId !== byRun.get(loaded.run.id)!.run.claimId) continue
    const { definition } = await deps.readVersion(tx, loaded.run.flowVersionId)
    found.push({ loaded, definition, companyId: loaded.run.companyId })
  }
  const fieldDesigns = await readFieldsOfFlows(tx, found)
  const plans: RunPlan[] = []
  for (const { loaded: row, definition, companyId } of found) {
    const loaded = { ...row, fields: fieldDesigns.get(companyId) ?? NO_FIELDS }
    const { run, called } = byRun.get(loaded.run.id)!
    // An advance that committed may have used the result already, and the run has continued since.
    const isOfThisStep = called?.closed.number === loaded.run.steps
    try {
      plans.push(
        planAdvance(loaded, definition, isOfThisStep ? called : null, now, run.wasAccepted),
      )
    } catch (error) {
      results.set(run.id, { kind: 'failed', error })
    }
  }
  return plans
}

const NO_FIELDS: FieldDesigns = new Map()

/**
 * Runs inline effects and fills in what the runs send. A refused message continues at the step's exit for that, which
 * may send another one; a run without template quota ends.
 */
async function prepareAll(
  tx: Transaction<DB>,
  { ids }: AdvanceDeps,
  plans: RunPlan[],
  results: Map<string, AdvanceResult>,
  effects: InlineEffectDeps,
): Promise<MessageToQueue[]> {
  const { now } = effects
  const ready: ReadySend[] = []
  // Their inline effects are part of the transaction, so they cannot be left out of the batch any more.
  const withEffects = new Set<RunPlan>()
  const runEffects = async (runnable: readonly RunPlan[]) => {
    for (const plan of runnable.filter(({ effect }) => effect !== null)) withEffects.add(plan)
    await runInlineEffects(tx, effects, runnable)
  }
  await runEffects(plans)
  for (let sending = plans.filter(isSending); sending.length > 0;) {
    const material = await readMaterial(tx, sending)
    const refusedPlans: RunPlan[] = []
    for (const plan of sending) {
      try {
        const prepared = prepareSend(plan.loaded, plan.send!.content, material, now)
        if (prepared.kind === 'ready') {
          ready.push({ plan, prepared })
          continue
        }
        refuseSend(plan, prepared.detail!, now)
        refusedPlans.push(plan)
      } catch (error) {
        if (withEffects.has(plan)) throw error
        results.set(plan.loaded.run.id, { kind: 'failed', error })
        plans.splice(plans.indexOf(plan), 1)
      }
    }
    await runEffects(refusedPlans)
    sending = refusedPlans.filter(isSending)
  }
  const templates = ready.filter(({ prepared }) => prepared.content.kind === 'template')
  const outcomes = await reserveTemplates(
    tx,
    now,
    templates.map(({ plan }) => templateSendOf(plan)),
  )
  const refused = new Map(templates.map(({ plan }, index) => [plan, outcomes[index]!]))
  return ready.flatMap(({ plan, prepared }) => {
    const { loaded, send } = plan
    const by = refused.get(plan) ?? 'reserved'
    if (by !== 'reserved') {
      refuseStep(plan, send!.stepId, send!.stepKind, quotaExceeded(loaded, by), now)
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
    plans.flatMap(({ loaded, send }) =>
      send!.content.kind === 'template'
        ? [{ channelId: loaded.channel.id, name: send!.content.template }]
        : [],
    ),
  )
  const files = await lockFilesToSend(
    tx,
    plans.flatMap(({ loaded: { run }, send }) =>
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
  const { loaded } = plan
  awaitSend(plan, id)
  return {
    id,
    companyId: loaded.run.companyId,
    conversationId: loaded.conversation.id,
    channel: loaded.channel,
    by: { kind: 'flow_run' as const, runId: loaded.run.id },
    key: `${loaded.run.id}:${plan.change!.steps}`,
    content,
    text,
    templateSend: content.kind === 'template' ? templateSendOf(plan) : null,
  }
}

function templateSendOf({ loaded: { accountId, run, templatesPerDay } }: RunPlan) {
  return {
    accountId,
    companyId: run.companyId,
    contactId: run.contactId,
    perDay: templatesPerDay,
  }
}
