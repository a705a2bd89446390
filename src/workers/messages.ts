/**
 * The worker that sends all queued messages, of every kind of sender. A message is dispatched in memory after its
 * commit. Retries, messages without a slot, and those left by a crash are claimed from the table. No database
 * connection and no slot of a run is held while a provider responds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { sharedFailureOf, reactToFailures } from '../modules/broadcasts/react-to-failures.ts'
import { whyRefused } from '../modules/channels/why-refused.ts'
import { markDisconnected } from '../modules/channels/mark-disconnected.ts'
import type { SendResult } from '../modules/channels/channel-adapter.ts'
import type { SendMessage } from '../modules/channels/open-channel.ts'
import type { Context } from '../infra/context.ts'
import { claiming } from '../infra/database/queues/claiming.ts'
import { lowerBoundOf } from '../infra/database/queues/lower-bound.ts'
import { nextDue } from '../infra/database/queues/next-due.sql.ts'
import { FIRST_ID } from '../infra/database/queues/queue.ts'
import { releaseClaims } from '../infra/database/queues/release.sql.ts'
import {
  lockTimeoutWithin,
  retryWhileUnavailable,
} from '../infra/database/retry-while-unavailable.ts'
import { transaction } from '../infra/database/transaction.ts'
import { fact } from '../core/facts/fact.ts'
import type { Random } from '../core/ids.ts'
import { SEND_LIMITS } from '../core/limits/messaging.ts'
import { beginSend, type SendingMessage } from '../modules/messaging/mark-sending.sql.ts'
import {
  claimThrottledSends,
  endThrottledSend,
} from '../modules/messaging/claim-throttled-sends.sql.ts'
import { gapsOf } from '../modules/messaging/channel-throttle.sql.ts'
import { claimSends, renewRefusedSends, SEND_QUEUE } from '../modules/messaging/claim-sends.sql.ts'
import { transitionConversations } from '../modules/messaging/transition-conversations.ts'
import { storeIdsFromSend } from '../modules/identity/store-ids-from-send.ts'
import { refusalOfSend } from '../modules/messaging/may-send.ts'
import type { ClaimForChannel, ClaimedMessage } from '../modules/messaging/queue-message.ts'
import {
  settleSend,
  sendRetryAt,
  type ResumableRun,
} from '../modules/messaging/record-send-outcomes.sql.ts'
import { createLookAtLeases } from './release-expired-leases.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createSendQueues } from './send-queues.ts'

/** The worker of messages, with the dispatch of those that this process queues. */
export type MessagesWorker = ConcurrentWorker & {
  /** Returns a claim for a message that this process sends right after the commit; null when its channel has no slot. */
  eagerClaimFor: ClaimForChannel
  /** Dispatches messages that were queued with a claim of `eagerClaimFor`, after their commit. */
  dispatchMessages(messages: readonly ClaimedMessage[]): void
}

/** Creates the worker that sends queued messages to customers. */
export function createMessagesWorker(context: Context, deps: Deps): MessagesWorker {
  const { db, clock, log } = context
  const stopping = new AbortController()
  /** True while messages in the table wait for a slot. */
  let isLeft = false
  const isHalted = () => stopping.signal.aborted
  let after = FIRST_ID
  const lowerBound = lowerBoundOf(context, SEND_QUEUE)
  const lookAtLeases = createLookAtLeases(context, SEND_QUEUE, lowerBound)
  const release = (messages: readonly ClaimedMessage[]) => releaseMessages(context, messages)
  const queues = createSendQueues({
    async send(message) {
      const sending = sendOne(context, { ...deps, stopping: stopping.signal }, message)
      const waitMs = await sending.catch((error: unknown) => {
        // After the lease ends, a message that was not begun is sent; one in progress becomes `unknown`.
        log.error({ err: error, messageId: message.id }, 'message not sent: its lease decides')
        return null
      })
      if (gapsOf(message.channel.type)) await endPaced(context, deps, message)
      if (waitMs === null || !isHalted()) return waitMs
      await release([message])
      return null
    },
    onEnd() {
      if (isLeft) deps.onProgress()
    },
  })

  async function work(): Promise<boolean> {
    if (isHalted()) return false
    const now = clock.now()
    const expired = await lookAtLeases(now)
    if (expired !== null) queues.forget()
    if (expired) deps.onSettled(null, null)
    const renewed = await lowerBound.read((since) => renewRefusedSends(db.kysely, now, since))
    const claimed = (await claim(now)) + (await claimPaced(now))
    return renewed === SEND_LIMITS.batch || claimed > 0 || after !== FIRST_ID
  }

  /** Claims one message of each throttled channel that may send. */
  async function claimPaced(now: Date): Promise<number> {
    const limit = Math.min(queues.free(), SEND_LIMITS.batch)
    if (limit === 0) return 0
    const claimId = deps.claimId()
    const messages = await claiming(db, { claimId }, () =>
      claimThrottledSends(db.kysely, { claimId, now, limit }),
    )
    if (isHalted()) await release(messages)
    else queues.take(messages)
    return messages.length
  }

  async function claim(now: Date): Promise<number> {
    const limit = Math.min(queues.free(), SEND_LIMITS.claimed)
    isLeft = limit === 0 || queues.full().length > 0
    if (limit === 0) return 0
    const claimId = deps.claimId()
    const without = queues.full()
    const { messages, next } = await claiming(db, { claimId }, () =>
      lowerBound.read((since) =>
        claimSends(db.kysely, { claimId, now, since, limit, without, after }),
      ),
    )
    after = next ?? FIRST_ID
    isLeft ||= messages.length > 0
    if (isHalted()) await release(messages)
    else queues.take(messages)
    return messages.length
  }

  return {
    name: 'send-messages',
    eagerClaimFor(channelId) {
      if (!isHalted() && queues.hasRoom(channelId)) return deps.claimId()
      isLeft = true
      return null
    },
    dispatchMessages(messages) {
      queues.take(messages)
    },
    work,
    async nextDue() {
      const due = await lowerBound.read((since) => nextDue(db.kysely, SEND_QUEUE, since))
      // A due message without a slot waits for the end of another.
      isLeft ||= due !== null && due <= clock.now()
      return isLeft && queues.claimed() > 0 ? null : due
    },
    inFlight: queues.claimed,
    halt() {
      stopping.abort()
    },
    async drain() {
      if (isHalted()) await release(queues.empty())
      await queues.whenEmpty()
    },
  }
}

/** Releases messages that were not begun. Never rejects: the work in progress has to be awaited all the same. */
async function releaseMessages(
  { db, clock, log }: Context,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  await releaseClaims(db.kysely, SEND_QUEUE, clock.now(), messages).catch((error: unknown) =>
    // Another process releases the claims of this one once it has ended.
    log.warn({ err: error, messages: messages.length }, 'claims of messages not released'),
  )
}

type Deps = {
  openChannel(channelId: string): Promise<SendMessage>
  claimId(): string
  random: Random
  /**
   * Runs when outcomes are recorded. `run` is the run that waited for one, claimed for its next advance. `of` is the
   * kind of sender of the others, null when there are several kinds.
   */
  onSettled(run: ResumableRun | null, of: 'run' | 'reply' | null): void
  /** Runs when there is space for waiting messages. */
  onProgress(): void
}

type SendDeps = Deps & { stopping: AbortSignal }

/** Sends one message and records the outcome. Returns the delay in ms when the channel's rate is exhausted, else null. */
async function sendOne(
  context: Context,
  deps: SendDeps,
  message: ClaimedMessage,
): Promise<number | null> {
  const { db, clock, log } = context
  const { stopping } = deps
  const send = await retryWhileUnavailable(() => deps.openChannel(message.channel.id), { stopping })
  const begun = await beginWhenItMay(context, message, stopping)
  if (!begun) return null
  if ('waitMs' in begun) return begun.waitMs
  const result = whyNot(begun, clock.now()) ?? (await send(begun.to!, begun.content, begun.id))
  // One claim id for all attempts: if a confirmation is lost, the next attempt finds its own claim.
  const runClaimId = deps.claimId()
  await retryWhileUnavailable(() => learn(context, begun, result), { stopping }).catch(
    (error: unknown) => {
      // The outcome matters more than these details, and is recorded without them.
      log.error(
        { err: error, messageId: begun.id },
        'details of a provider response could not be stored',
      )
    },
  )
  const outcome = await claiming(db, { claimId: runClaimId }, () =>
    retryWhileUnavailable(() => settle(context, deps, begun, result, runClaimId), {
      // Other transactions may hold locks for long. The wait for them is not cut short.
      isWorthIt: lockTimeoutWithin(SEND_LIMITS.leaseMs / 3),
      stopping,
    }),
  )
  deps.onSettled(outcome, begun.replyId === null ? 'run' : 'reply')
  return null
}

/**
 * Marks a message as `sending`. Nothing has been sent before the response to this statement, so it is retried whatever
 * its outcome was.
 */
async function beginWhenItMay(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  message: ClaimedMessage,
  stopping: AbortSignal,
): ReturnType<typeof beginSend> {
  let isAgain = false
  const begin = (isRetry: boolean) => {
    isAgain ||= isRetry
    return beginSend(db, { ...message, isAgain, now: clock.now() })
  }
  for (;;) {
    const begun = await retryWhileUnavailable(begin, { stopping })
    // Only this process knows that an earlier try may have begun the message, so it waits here.
    if (!isAgain || !begun || !('waitMs' in begun)) return begun
    await pause(begun.waitMs)
  }
}

/** Returns the refusal of a message that must not be sent any more; null when it may be sent. */
function whyNot(begun: SendingMessage, now: Date): SendResult | null {
  const refusal = begun.isStillWanted
    ? refusalOfSend(begun.facts, begun.content, now)
    : { code: 'sender_ended', detail: fact('sender_ended') }
  const why = refusal ?? (begun.to === null ? NOT_REACHABLE : null)
  if (!why) return null
  return {
    outcome: 'refused',
    error: { code: why.code, class: 'other', message: '', why: why.detail },
  }
}

/** The result for a number that belongs to another customer now, when no other id of this one is known. */
const NOT_REACHABLE = {
  code: 'customer_not_reachable',
  detail: fact('customer_not_reachable'),
} as const

/** Stores what a provider's answer says about the customer and the channel. */
async function learn(
  { db, ids, clock, log }: Context,
  begun: SendingMessage,
  result: SendResult,
): Promise<void> {
  const now = clock.now()
  await storeIdsFromSend(db, { ids, now, log }, begun, result)
  const failure = sharedFailureOf(begun.id, result)
  if (failure) await transaction(db, (tx) => reactToFailures(tx, now, [failure]))
  if (result.outcome === 'refused' && result.error.class === 'auth') {
    const why = whyRefused(result.error)
    await transaction(db, (tx) => markDisconnected(tx, now, begun.channel.id, why))
  }
  if (begun.to === null || (begun.facts.by === 'member' && wasTooLate(result))) {
    const { companyId, conversationId } = begun
    const change = { kind: 'need_staff', since: now } as const
    const late = { companyId, conversationId, by: { kind: 'service' }, change } as const
    await transaction(db, (tx) => transitionConversations(tx, { ids, now }, [late]))
  }
}

/** Returns whether the window closed before the message was sent, which its author must learn. Spec: reading B9. */
function wasTooLate(result: SendResult): boolean {
  return result.outcome === 'refused' && result.error.code === 'outside_service_window'
}

async function settle(
  { db, clock }: Context,
  deps: Deps,
  begun: SendingMessage,
  result: SendResult,
  runClaimId: string,
): Promise<ResumableRun | null> {
  const now = clock.now()
  const againAt = sendRetryAt(result, begun.attempt, now)
  const { id, runId, replyId } = begun
  const outcome = await settleSend(db, { id, runId, replyId, result, againAt, runClaimId, now })
  // The retry is due before the worker's next poll.
  if (againAt) deps.onProgress()
  return outcome
}

/** Records the end of a throttled send, which sets when its channel may send again. */
async function endPaced(
  { db, clock, log }: Context,
  deps: Deps,
  message: ClaimedMessage,
): Promise<void> {
  const end = () => endThrottledSend(db.kysely, message, { now: clock.now(), random: deps.random })
  await retryWhileUnavailable(end).catch((error: unknown) => {
    // Otherwise the channel waits until the claim's process counts as dead.
    log.error({ err: error, messageId: message.id }, 'end of a throttled send not recorded')
  })
  deps.onProgress()
}
