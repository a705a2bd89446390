/**
 * One turn of a run: under the locks of its conversation and itself, find out what has happened,
 * let the engine decide, and write state, steps, message and events together. A turn ends when the
 * run must send or call (the caller does, outside the transaction, and comes back with the answer),
 * waits or has ended.
 */
import type { Transaction } from 'kysely'
import type { CustomerRef, Outbound, SendResult } from '../channels/channel-adapter.ts'
import { markDisconnected } from '../channels/mark-disconnected.ts'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { CALL_LIMITS, RUN_LIMITS } from '../limits.ts'
import { customerAddress } from '../messaging/contact.ts'
import { learnIds } from '../messaging/find-contact.ts'
import { recordTemplateSend, releaseTemplate } from '../messaging/template-allowance.ts'
import { aliasesOf, lockCustomer } from '../messaging/lock-customer.ts'
import {
  markUnanswered,
  recordSendResult,
  writeAheadMessage,
} from '../messaging/write-ahead-message.ts'
import {
  advance,
  failed,
  type Advanced,
  type NextMove,
  type RunEnd,
  type RunInput,
  type RunState,
  type Variables,
} from './advance.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import { interruptedCall, lostMs, mayCallAgain, type CutOffCall } from './cut-off-call.ts'
import { endRun, type RunDropped } from './end-run.ts'
import { outcomeOfSend, whatHappened } from './what-happened.ts'
import type { ReadVersion } from './load-version.ts'
import { FLOW_DELETED, interruption, mayNotAct } from './interruption.ts'
import type { Called, CallToMake } from './make-step-call.ts'
import { contactFillings, prepareSend } from './prepare-send.ts'
import { lockRun, type RunInHand } from './read-run.ts'
import { createStepLog } from './step-log.ts'
import { takeKeptReply } from './kept-reply.ts'
import { wakeRunThatAwaitsOutcome } from './wake-runs.ts'

type Sent = {
  kind: 'sent'
  to: CustomerRef
  messageId: string
  /** Of the step in the run's history. */
  number: number
  result: SendResult
}

/** What came of the effect that the turn before asked for. */
export type Effect = Sent | ({ kind: 'called' } & Called)

export type Turn =
  | {
      kind: 'send'
      channelId: string
      to: CustomerRef
      messageId: string
      /** Of the step in the run's history. */
      number: number
      message: Outbound
    }
  | ({ kind: 'call' } & CallToMake)
  /** The run waits, has ended, or is no longer ours. */
  | { kind: 'rest' }

type Deps = Pick<Context, 'db' | 'clock' | 'ids'> & { readVersion: ReadVersion }

/**
 * @param effect what came of what the turn before asked for; null on a worker's first turn. Given again
 *   because the confirmation of its commit was lost, it counts once.
 */
export async function takeTurn(
  deps: Deps,
  claimed: ClaimedRun,
  effect: Effect | null,
): Promise<Turn> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    let sent = effect?.kind === 'sent' ? effect : null
    let called = effect?.kind === 'called' ? effect : null
    const learnt = sent ? idsLearnt(sent) : null
    if (learnt) await lockCustomer(tx, claimed.companyId, aliasesOf(learnt, ''))
    const hand = await lockRun(tx, claimed)
    if (!hand) {
      // The lease went to another worker, which has put the send down as unknown. What the provider
      // said is still worth writing, and the run worth waking. A call was put down as interrupted.
      if (sent) {
        if (sent.result.outcome === 'refused') await releaseTemplate(tx, sent.messageId)
        await recordSendResult(tx, { now }, sent.messageId, sent.result)
        await wakeRunThatAwaitsOutcome(tx, now, claimed.id)
      }
      return { kind: 'rest' }
    }
    if (learnt && hand.contact) {
      hand.contact = await learnIds(tx, { ids: deps.ids, now }, hand.company, hand.contact, learnt)
    }
    if (effect && numberOf(effect) !== hand.run.steps) {
      // A turn that has committed took it already, and the run has gone on to another step since.
      sent = null
      called = null
    }
    const { definition } = await deps.readVersion(tx, hand.run.flowVersionId)
    const steps = createStepLog(tx, hand, now)
    if (sent?.result.outcome === 'refused') {
      const { error } = sent.result
      await releaseTemplate(tx, sent.messageId)
      if (error.class === 'auth') {
        await markDisconnected(tx, now, hand.run.channelId, `${error.message} (${error.code})`)
      }
    }
    if (called) await steps.closeCall(called.closed)
    const happened = sent
      ? outcomeOfSend(await recordSendResult(tx, { now }, sent.messageId, sent.result), sent.result)
      : called
        ? ({ kind: 'called', call: called.outcome } as const)
        : await whatHappened(tx, hand, definition, now)
    let state = readState(hand)
    if (happened.kind === 'sent') hand.run.sendFailures = 0

    const interrupted = hand.run.status === 'running' ? null : interruption(hand, now)
    if (interrupted) {
      await finish(tx, hand, interrupted, state, steps.count())
      return { kind: 'rest' }
    }
    if (happened.kind === 'nothing') {
      await letGo(tx, hand, { wakeAt: happened.wakeAt })
      return { kind: 'rest' }
    }
    if (happened.kind === 'send_unknown') {
      const until = new Date(now.getTime() + RUN_LIMITS.unknownSendMs)
      await steps.closeSend('interrupted', 'No answer came; waiting for the provider to tell.')
      await markUnanswered(tx, hand.run.id)
      if (hand.isFlowDeleted) await finish(tx, hand, FLOW_DELETED, state, steps.count())
      else await restAt(tx, hand, state, steps.count(), { waitKind: 'sent', waitUntil: until, now })
      return { kind: 'rest' }
    }
    if (happened.kind === 'send_refused_for_now') {
      await steps.closeSend('failed', happened.detail)
      const delayMs = RUN_LIMITS.sendRetryDelaysMs[hand.run.sendFailures]
      if (delayMs !== undefined && !hand.isFlowDeleted) {
        await letGo(tx, hand, {
          wakeAt: new Date(now.getTime() + delayMs),
          sendFailures: hand.run.sendFailures + 1,
          steps: steps.count(),
        })
        return { kind: 'rest' }
      }
    }

    let next: NextMove | RunDropped
    /** The call that is made again, in the history where it stood. */
    let cutOff: CutOffCall | null = null
    if (happened.kind === 'call_cut_off') {
      cutOff = happened.cutOff
      next = await afterCutOff(cutOff)
    } else if (happened.kind === 'send_again') {
      const step = definition.steps[state.stepId ?? '']
      next =
        step?.kind === 'send_template' || step?.kind === 'send_message'
          ? { kind: 'send', stepId: state.stepId!, step }
          : failed('error', 'The step to send again is gone.')
    } else {
      if (happened.kind === 'sent') await steps.closeSend('done', null)
      if (happened.kind === 'send_failed') await steps.closeSend('failed', happened.detail)
      const input: RunInput =
        happened.kind === 'send_refused_for_now'
          ? { kind: 'send_failed', detail: happened.detail }
          : happened
      next = await walk(input)
    }

    async function afterCutOff(call: CutOffCall): Promise<NextMove> {
      const stepId = state.stepId!
      const step = definition.steps[stepId]
      if (step?.kind !== 'http_request')
        return failed('error', 'The call that was cut off is gone.')
      state.callsInGoMs += lostMs(call, now)
      const withinMs = CALL_LIMITS.inOneGoMs - state.callsInGoMs
      if (mayCallAgain(step, call) && withinMs > 0) return { kind: 'call', stepId, step, withinMs }
      cutOff = null
      const { outcome, closed } = interruptedCall(step, call)
      await steps.closeCall(closed)
      return walk({ kind: 'called', call: outcome })
    }

    /** Lets the engine decide, and feeds it a reply that came early when it begins to wait. */
    async function walk(first: RunInput): Promise<NextMove> {
      let input: RunInput | null = first
      let advanced: Advanced | null = null
      while (input) {
        advanced = advance(definition, state, input, contactFillings(hand!))
        state = advanced.state
        await steps.add(advanced.records)
        input = advanced.next.kind === 'wait' ? await takeKeptReply(tx, hand!.run.id, now) : null
      }
      return advanced!.next
    }

    if (next.kind === 'send') {
      const prepared = await prepareSend(tx, now, hand, next.step, state.variables)
      if (prepared.kind === 'ready') {
        const number = steps.count() + 1
        const messageId = await writeAheadMessage(
          tx,
          { ids: deps.ids, now },
          {
            companyId: hand.run.companyId,
            conversationId: hand.conversation.id,
            channelId: hand.run.channelId,
            runId: hand.run.id,
            sendKey: `${hand.run.id}:${number}`,
            message: prepared.message,
            text: prepared.text,
          },
        )
        if (prepared.templateSend) {
          await recordTemplateSend(tx, now, messageId, prepared.templateSend)
        }
        await steps.startSend(next.stepId, next.step.kind, messageId)
        await workOn(tx, hand, state, { steps: steps.count(), hasSent: true, now })
        return {
          kind: 'send',
          channelId: hand.run.channelId,
          to: customerAddress(hand.conversation, hand.contact),
          messageId,
          number: steps.count(),
          message: prepared.message,
        }
      }
      await steps.add([
        { stepId: next.stepId, kind: next.step.kind, status: 'failed', detail: prepared.detail },
      ])
      next = prepared
    }
    if (next.kind === 'call') {
      const { stepId, step, withinMs } = next
      const refusal = mayNotAct(hand, now)
      if (!refusal) {
        const number = cutOff?.number ?? (await steps.startCall(stepId, step.kind))
        await workOn(tx, hand, state, { steps: steps.count(), hasSent: hand.run.hasSent, now })
        return {
          kind: 'call',
          stepId,
          number,
          step,
          variables: state.variables,
          withinMs,
          attemptsBefore: cutOff?.attempts ?? 0,
        }
      }
      if (cutOff) await steps.closeCall(interruptedCall(step, cutOff).closed)
      else {
        const { detail } = refusal
        await steps.add([{ stepId, kind: step.kind, status: 'failed', detail }])
      }
      next = refusal
    }
    // Whoever left or took over while the run was at work found nothing to wake.
    if (next.kind === 'wait') next = interruption(hand, now) ?? next
    if (next.kind === 'wait') {
      const until = new Date(now.getTime() + next.timeoutMs)
      await restAt(tx, hand, state, steps.count(), { waitKind: 'reply', waitUntil: until, now })
      return { kind: 'rest' }
    }
    await finish(tx, hand, hand.isFlowDeleted ? FLOW_DELETED : next, state, steps.count())
    return { kind: 'rest' }
  })

  async function finish(
    tx: Transaction<DB>,
    hand: RunInHand,
    end: RunEnd | RunDropped,
    state: RunState,
    steps: number,
  ) {
    await tx.updateTable('flowRun').set({ steps }).where('id', '=', hand.run.id).execute()
    await endRun(tx, { ids: deps.ids, now: deps.clock.now() }, hand, end, state.variables)
  }
}

/** Of the step that an effect is of: the last one of a run that is still at it. */
const numberOf = (effect: Effect): number =>
  effect.kind === 'sent' ? effect.number : effect.closed.number

/** The ids that the answer to a send gives its customer, beyond the one that was dialled. */
function idsLearnt({ to, result }: Sent): CustomerRef | null {
  if (result.outcome !== 'accepted' || !result.customer) return null
  const { number, businessScopedId } = result.customer
  const isNew =
    (number !== undefined && number !== to.number) ||
    (businessScopedId !== undefined && businessScopedId !== to.businessScopedId)
  return isNew ? result.customer : null
}

function readState({ run }: RunInHand): RunState {
  return {
    stepId: run.stepId,
    variables: JSON.parse(run.variables) as Variables,
    stepsSinceWait: run.stepsSinceWait,
    waits: run.waits,
    callsInGo: run.callsInGo,
    callsInGoMs: run.callsInGoMs,
  }
}

function columns(state: RunState, steps: number) {
  return {
    stepId: state.stepId,
    variables: JSON.stringify(state.variables),
    stepsSinceWait: state.stepsSinceWait,
    waits: state.waits,
    callsInGo: state.callsInGo,
    callsInGoMs: state.callsInGoMs,
    steps,
  }
}

/** The run is at work on a send or a call: it keeps its claim, whose lease begins anew. */
async function workOn(
  tx: Transaction<DB>,
  { run }: RunInHand,
  state: RunState,
  at: { steps: number; hasSent: boolean; now: Date },
) {
  await tx
    .updateTable('flowRun')
    .set({
      ...columns(state, at.steps),
      status: 'running',
      waitKind: null,
      waitUntil: null,
      waitingSince: null,
      claimedUntil: new Date(at.now.getTime() + RUN_LIMITS.leaseMs),
      hasSent: at.hasSent,
      sendFailures: run.sendFailures,
    })
    .where('id', '=', run.id)
    .execute()
}

async function restAt(
  tx: Transaction<DB>,
  { run }: RunInHand,
  state: RunState,
  steps: number,
  wait: { waitKind: 'reply' | 'sent'; waitUntil: Date; now: Date },
) {
  await tx
    .updateTable('flowRun')
    .set({
      ...columns(state, steps),
      status: 'waiting',
      waitKind: wait.waitKind,
      waitUntil: wait.waitUntil,
      waitingSince: wait.now,
      wakeAt: wait.waitUntil,
      sendFailures: 0,
      claimId: null,
      claimedUntil: null,
    })
    .where('id', '=', run.id)
    .execute()
}

/** Gives the claim back without moving the run on. */
async function letGo(
  tx: Transaction<DB>,
  { run }: RunInHand,
  change: { wakeAt: Date; sendFailures?: number; steps?: number },
) {
  await tx
    .updateTable('flowRun')
    .set({ ...change, claimId: null, claimedUntil: null })
    .where('id', '=', run.id)
    .execute()
}
