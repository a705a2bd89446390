/**
 * The duty that answers customers: takes due replies of the assistant on, from gathered messages to the
 * text that is sent. While a model or a tool is waited for, no connection of the database is held.
 */
import {
  claimReplies,
  FIRST_COMPANY,
  nextReplyDue,
  releaseExpiredReplies,
  type ClaimedReply,
} from '../assistant/claim-replies.sql.ts'
import { createMediaRoom } from '../assistant/load-media.ts'
import type { GuardWatch } from '../assistant/turning.ts'
import { runReply, type RunReplyDeps } from '../assistant/run-reply.ts'
import { setReplyAside } from '../assistant/set-reply-aside.ts'
import type { Tool } from '../assistant/tools/tool.ts'
import type { CallDeps } from '../connections/make-call.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import type { FileStore } from '../files/file-store.ts'
import { REPLY_WORK } from '../limits/replies.ts'
import type { ModelAccess } from '../models/model-access.ts'
import type { ClaimForChannel, MessageInHand } from '../messaging/queue-message.ts'
import { ASSISTANT_WORDS } from '../words/assistant-words.ts'
import { createSentReplies } from './end-sent-replies.ts'
import { atIntervals, LEASES_EVERY_MS, type WorkingDuty } from './loop.ts'
import { createRunPlaces } from './run-places.ts'
import type { BeginTyping } from './show-typing.ts'

type Deps = {
  keyRing: CallDeps['keyRing']
  outbound: CallDeps['outbound']
  models: ModelAccess
  store: FileStore
  tools: readonly Tool[]
  claimFor: ClaimForChannel
  handOver(messages: readonly MessageInHand[]): void
  beginTyping: BeginTyping
  guard: GuardWatch
  claimId(): string
  /** Called when a place is free for what is due. */
  onProgress(): void
}

type AnswerCustomersDuty = WorkingDuty & {
  /** The provider has answered to something that replies had sent. */
  noteSent(): void
}

export function createAnswerCustomersDuty(context: Context, deps: Deps): AnswerCustomersDuty {
  const { db, clock, log } = context
  const underWay = new Set<Promise<void>>()
  /** Something that is due was left for want of a place. */
  let isLeft = false
  const sent = createSentReplies(context, deps.onProgress)
  /** As the last claim told it, where that has found nothing to do; undefined: it is asked for. */
  let dueAt: Date | null | undefined
  let after = FIRST_COMPANY
  const isTimeForLeases = atIntervals(LEASES_EVERY_MS)
  const places = createRunPlaces(() => {
    if (isLeft) deps.onProgress()
  }, REPLY_WORK)
  const stopping = new AbortController()
  const replyDeps = {
    ...depsOfReplies(context, deps),
    noteWait(until: Date) {
      // Asked while it was in hand, the table did not tell of it.
      if (until.getTime() - clock.now().getTime() < REPLY_WORK.notedWaitMs) deps.onProgress()
    },
    whileWaiting: places.whileCalling,
    stopping: stopping.signal,
  }

  function takeOn(reply: ClaimedReply) {
    places.take()
    const run = runToItsRest(replyDeps, reply).finally(() => {
      underWay.delete(run)
      places.giveBack()
    })
    underWay.add(run)
  }

  async function lookAtLeases(now: Date) {
    if (!isTimeForLeases(now)) return
    const expired = await releaseExpiredReplies(db.kysely, now)
    if (expired > 0) log.warn({ expired }, 'replies whose lease had ended are due again')
  }

  return {
    name: 'answer-customers',
    everyMs: REPLY_WORK.claimEveryMs,
    noteSent: sent.note,
    async work() {
      dueAt = undefined
      const free = places.free()
      isLeft = free === 0
      if (isLeft) return false
      const now = clock.now()
      await lookAtLeases(now)
      const without = places.accountsFull()
      const claimId = deps.claimId()
      const claimed = await claimReplies(db.kysely, { claimId, now, limit: free, without, after })
      for (const reply of claimed.replies) takeOn(reply)
      after = claimed.next ?? FIRST_COMPANY
      isLeft = claimed.replies.length === free || without.length > 0
      const isBusy = claimed.replies.length > 0 || claimed.next !== null
      if (!isBusy) dueAt = claimed.dueAt
      return isBusy
    },
    async nextDue() {
      const due = dueAt === undefined ? await nextReplyDue(db.kysely) : dueAt
      dueAt = undefined
      isLeft ||= due !== null && due <= clock.now()
      return isLeft && underWay.size > 0 ? null : due
    },
    inFlight: () => underWay.size + (sent.underWay() ? 1 : 0),
    halt() {
      stopping.abort()
    },
    async drain() {
      while (underWay.size > 0 || sent.underWay()) {
        await Promise.all([...underWay, sent.underWay()])
      }
    },
  }
}

/** Never rejects: what has failed is set aside, or taken up again where it stood. */
async function runToItsRest(deps: RunReplyDeps & Context, reply: ClaimedReply): Promise<void> {
  try {
    await runReply(deps, reply)
  } catch (error) {
    // Its lease ends, and it is taken up again.
    if (isDatabaseAway(error)) return
    deps.log.error({ err: error, replyId: reply.id }, 'a reply could not be taken on')
    await setReplyAside(deps, reply).catch((fault: unknown) => {
      deps.log.error({ err: fault, replyId: reply.id }, 'a reply could not be set aside')
    })
  }
}

/** What a reply works with, of this process. */
function depsOfReplies(
  context: Context,
  { keyRing, outbound, models, store, tools, claimFor, handOver, beginTyping, guard }: Deps,
) {
  return {
    ...context,
    keyRing,
    outbound,
    models,
    tools,
    claimFor,
    handOver,
    beginTyping,
    guard,
    withMedia: createMediaRoom({ store, log: context.log }),
    operatorModel: () => models.operator(),
    sentence: (code: keyof typeof ASSISTANT_WORDS, language: 'ar' | 'en') =>
      ASSISTANT_WORDS[code][language],
  }
}
