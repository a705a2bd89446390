/**
 * One turn of a run: under the locks of its conversation and itself, find out what has happened,
 * let the engine decide, and write state, steps, message and events together. A turn ends when the
 * run must send (the caller does, outside the transaction, and comes back with the answer), waits or
 * has ended.
 */
import type { Transaction } from 'kysely'
import type { CustomerRef, Outbound, SendResult } from '../channels/channel-adapter.ts'
import { markDisconnected } from '../channels/mark-disconnected.ts'
import type { Context } from '../context.ts'
import type { DB } from '../database/tables.ts'
import { transaction } from '../database/transaction.ts'
import { RUN_LIMITS } from '../limits.ts'
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
  type StepRecord,
  type Variables,
} from './advance.ts'
import type { ClaimedRun } from './claim-runs.sql.ts'
import { endRun, type RunDropped } from './end-run.ts'
import { outcomeOfSend, whatHappened } from './what-happened.ts'
import type { ReadVersion } from './load-version.ts'
import { interruption } from './interruption.ts'
import { contactFillings, prepareSend } from './prepare-send.ts'
import { lockRun, type RunInHand } from './read-run.ts'
import { takeKeptReply } from './kept-reply.ts'
import { wakeRunThatAwaitsOutcome } from './wake-runs.ts'

export type Sent = { to: CustomerRef; messageId: string; result: SendResult }

export type Turn =
  | { kind: 'send'; channelId: string; to: CustomerRef; messageId: string; message: Outbound }
  /** The run waits, has ended, or is no longer ours. */
  | { kind: 'rest' }

type Deps = Pick<Context, 'db' | 'clock' | 'ids'> & { readVersion: ReadVersion }

/** @param sent the answer to the send that the turn before asked for; null on a run's first turn. */
export async function takeTurn(deps: Deps, claimed: ClaimedRun, sent: Sent | null): Promise<Turn> {
  return transaction(deps.db, async (tx) => {
    const now = deps.clock.now()
    const learnt = sent ? idsLearnt(sent) : null
    if (learnt) await lockCustomer(tx, claimed.companyId, aliasesOf(learnt, ''))
    const hand = await lockRun(tx, claimed)
    if (!hand) {
      // The lease went to another worker, which has put the send down as unknown. What the provider
      // said is still worth writing, and the run worth waking.
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
    const { definition } = await deps.readVersion(tx, hand.run.flowVersionId)
    const steps = createStepLog(tx, hand, now)
    if (sent?.result.outcome === 'refused') {
      const { error } = sent.result
      await releaseTemplate(tx, sent.messageId)
      if (error.class === 'auth') {
        await markDisconnected(tx, now, hand.run.channelId, `${error.message} (${error.code})`)
      }
    }
    const happened = sent
      ? outcomeOfSend(await recordSendResult(tx, { now }, sent.messageId, sent.result), sent.result)
      : await whatHappened(tx, hand, now)
    let state = readState(hand)
    if (happened.kind === 'sent') hand.run.sendFailures = 0

    const interrupted = hand.run.status === 'running' ? null : interruption(hand)
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
      await steps.closeStarted('interrupted', 'No answer came; waiting for the provider to tell.')
      await markUnanswered(tx, hand.run.id)
      await restAt(tx, hand, state, steps.count(), { waitKind: 'sent', waitUntil: until, now })
      return { kind: 'rest' }
    }
    if (happened.kind === 'send_refused_for_now') {
      await steps.closeStarted('failed', happened.detail)
      const delayMs = RUN_LIMITS.sendRetryDelaysMs[hand.run.sendFailures]
      if (delayMs !== undefined) {
        await letGo(tx, hand, {
          wakeAt: new Date(now.getTime() + delayMs),
          sendFailures: hand.run.sendFailures + 1,
          steps: steps.count(),
        })
        return { kind: 'rest' }
      }
    }

    let next: NextMove | RunDropped
    if (happened.kind === 'send_again') {
      const step = definition.steps[state.stepId ?? '']
      next =
        step?.kind === 'send_template' || step?.kind === 'send_message'
          ? { kind: 'send', stepId: state.stepId!, step }
          : failed('error', 'The step to send again is gone.')
    } else {
      await steps.closeStarted(
        happened.kind === 'sent' ? 'done' : 'failed',
        happened.kind === 'send_failed' ? happened.detail : null,
      )
      const input: RunInput =
        happened.kind === 'send_refused_for_now'
          ? { kind: 'send_failed', detail: happened.detail }
          : happened
      next = await walk(input)
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
        await steps.start(next.stepId, next.step.kind, messageId)
        await workOn(tx, hand, state, steps.count())
        return {
          kind: 'send',
          channelId: hand.run.channelId,
          to: customerAddress(hand.conversation, hand.contact),
          messageId,
          message: prepared.message,
        }
      }
      await steps.add([
        { stepId: next.stepId, kind: next.step.kind, status: 'failed', detail: prepared.detail },
      ])
      next = prepared
    }
    // Whoever left or took over while the run was at work found nothing to wake.
    if (next.kind === 'wait') next = interruption(hand) ?? next
    if (next.kind === 'wait') {
      const until = new Date(now.getTime() + next.timeoutMs)
      await restAt(tx, hand, state, steps.count(), { waitKind: 'reply', waitUntil: until, now })
      return { kind: 'rest' }
    }
    await finish(tx, hand, next, state, steps.count())
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
  }
}

function columns(state: RunState, steps: number) {
  return {
    stepId: state.stepId,
    variables: JSON.stringify(state.variables),
    stepsSinceWait: state.stepsSinceWait,
    waits: state.waits,
    steps,
  }
}

/** The run is at work on a send: it keeps its claim, and is due again when that ends. */
async function workOn(tx: Transaction<DB>, { run }: RunInHand, state: RunState, steps: number) {
  await tx
    .updateTable('flowRun')
    .set({
      ...columns(state, steps),
      status: 'running',
      waitKind: null,
      waitUntil: null,
      waitingSince: null,
      hasSent: true,
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

/** Writes the run's history, numbered on from what it has. */
function createStepLog(tx: Transaction<DB>, { run }: RunInHand, now: Date) {
  let count = run.steps
  const insert = (record: {
    stepId: string
    kind: string
    status: string
    detail?: string | null
    messageId?: string
    endedAt?: Date
  }) =>
    tx
      .insertInto('flowRunStep')
      .values({
        runId: run.id,
        number: ++count,
        companyId: run.companyId,
        startedAt: now,
        ...record,
      })
      .execute()
  return {
    count: () => count,
    async add(records: readonly StepRecord[]) {
      for (const record of records) await insert({ ...record, endedAt: now })
    },
    start: (stepId: string, kind: string, messageId: string) =>
      insert({ stepId, kind, status: 'started', messageId }),
    async closeStarted(status: 'done' | 'failed' | 'interrupted', detail: string | null) {
      await tx
        .updateTable('flowRunStep')
        .set({ status, detail, endedAt: now })
        .where('runId', '=', run.id)
        .where('status', 'in', ['started', 'interrupted'])
        .execute()
    },
  }
}
