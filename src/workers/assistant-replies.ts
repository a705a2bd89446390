/**
 * The worker that advances due replies of the assistant, from the debounced messages to the sent text. No database
 * connection is held while a model or a tool responds.
 */
import { createMediaLoader } from '../modules/assistant/load-media.ts'
import type { EffectResult, GuardWatch } from '../modules/assistant/reply-context.ts'
import { REPLY_QUEUE, type ClaimedReply } from '../modules/assistant/reply-queue.ts'
import { createReplyJob, type PerformableEffect } from '../modules/assistant/reply-job.ts'
import type { Tool } from '../modules/assistant/tools/tool.ts'
import type { CallDeps } from '../modules/connections/make-call.ts'
import type { Context } from '../infra/context.ts'
import type { FileStore } from '../modules/files/file-store.ts'
import { REPLY_WORK } from '../core/limits/replies.ts'
import type { ModelAccess } from '../modules/models/model-access.ts'
import type { ClaimForChannel, ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { assistantWords } from '../i18n/assistant-words.ts'
import { sayIn } from '../i18n/write-text.ts'
import { createSentReplies } from './complete-sent-replies.ts'
import { createEffectJobsWorker } from './effect-jobs.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import type { BeginTyping } from './show-typing.ts'
import type { WorkDeps } from './worker.ts'

type Deps = WorkDeps & {
  keyRing: CallDeps['keyRing']
  outbound: CallDeps['outbound']
  models: ModelAccess
  store: FileStore
  tools: readonly Tool[]
  eagerClaimFor: ClaimForChannel
  dispatchMessages(messages: readonly ClaimedMessage[]): void
  beginTyping: BeginTyping
  guard: GuardWatch
}

type AssistantRepliesWorker = ConcurrentWorker & {
  /** Checks soon which replies the provider has accepted; runs after the outcome of their messages is recorded. */
  noteSent(): void
}

/** Creates the worker that advances due replies of the assistant. */
export function createAssistantRepliesWorker(context: Context, deps: Deps): AssistantRepliesWorker {
  const sent = createSentReplies(context, deps.onProgress)
  const replyDeps = depsOfReplies(context, deps)
  const worker = createEffectJobsWorker<ClaimedReply, PerformableEffect, EffectResult>(
    context,
    {
      name: 'answer-customers',
      queue: REPLY_QUEUE,
      places: REPLY_WORK,
      everyMs: REPLY_WORK.claimEveryMs,
      begin: (reply, stopping) => createReplyJob({ ...replyDeps, stopping }, reply),
    },
    deps,
  )

  return {
    ...worker,
    noteSent: sent.note,
    inFlight: () => worker.inFlight() + (sent.underWay() ? 1 : 0),
    async drain() {
      while (worker.inFlight() > 0 || sent.underWay()) {
        await Promise.all([worker.drain(), sent.underWay()])
      }
    },
  }
}

/** Returns this process's dependencies of replies. */
function depsOfReplies(
  context: Context,
  { keyRing, outbound, models, store, tools, eagerClaimFor, beginTyping, guard }: Deps,
) {
  return {
    ...context,
    keyRing,
    outbound,
    models,
    tools,
    eagerClaimFor,
    beginTyping,
    guard,
    withMedia: createMediaLoader({ store, log: context.log }),
    operatorModel: () => models.operator(),
    sentence: (code: keyof typeof assistantWords.en, language: 'ar' | 'en') =>
      sayIn(assistantWords, language)(code),
  }
}
