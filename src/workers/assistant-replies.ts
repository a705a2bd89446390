/**
 * The worker that advances due replies of the assistant, from the debounced messages to the sent text. No database
 * connection is held while a model or a tool responds.
 */
import { createMediaBudget } from '../modules/assistant/load-media.ts'
import type { GuardWatch } from '../modules/assistant/reply-context.ts'
import { REPLY_QUEUE, type ClaimedReply } from '../modules/assistant/reply-queue.ts'
import { runReply, type RunReplyDeps } from '../modules/assistant/run-reply.ts'
import { deferReply } from '../modules/assistant/defer-reply.ts'
import type { Tool } from '../modules/assistant/tools/tool.ts'
import type { CallDeps } from '../modules/connections/make-call.ts'
import type { Context } from '../infra/context.ts'
import { isDatabaseUnavailable } from '../infra/database/is-database-unavailable.ts'
import type { FileStore } from '../modules/files/file-store.ts'
import { REPLY_WORK } from '../core/limits/replies.ts'
import type { ModelAccess } from '../modules/models/model-access.ts'
import type { ClaimForChannel, ClaimedMessage } from '../modules/messaging/queue-message.ts'
import { assistantWords } from '../i18n/assistant-words.ts'
import { sayIn } from '../i18n/write-text.ts'
import { createSentReplies } from './complete-sent-replies.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import type { BeginTyping } from './show-typing.ts'
import { createWorker, type WorkDeps, type Worker } from './worker.ts'

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
  /** The provider has answered to something that replies had sent. */
  noteSent(): void
}

/** Creates the worker that advances due replies of the assistant. */
export function createAssistantRepliesWorker(context: Context, deps: Deps): AssistantRepliesWorker {
  const { clock, log } = context
  const sent = createSentReplies(context, deps.onProgress)
  const stopping = new AbortController()
  const worker: Worker<ClaimedReply> = createWorker<ClaimedReply>(
    context,
    {
      name: 'answer-customers',
      queue: REPLY_QUEUE,
      places: REPLY_WORK,
      everyMs: REPLY_WORK.claimEveryMs,
      wakesAtEnd: false,
      take: (reply) => runToItsRest(replyDeps, reply),
      onError(error, { id }) {
        if (isDatabaseUnavailable(error)) return
        log.error({ err: error, replyId: id }, 'reply not deferred: its lease ends first')
      },
    },
    deps,
  )
  const replyDeps = {
    ...depsOfReplies(context, deps),
    noteWait(until: Date) {
      // The next due time was read while the reply was claimed, so it may not include this one.
      if (until.getTime() - clock.now().getTime() < REPLY_WORK.notedWaitMs) deps.onProgress()
    },
    whileWaiting: worker.places.withoutSlot,
    stopping: stopping.signal,
  }

  return {
    ...worker,
    noteSent: sent.note,
    inFlight: () => worker.inFlight() + (sent.underWay() ? 1 : 0),
    halt() {
      worker.halt()
      stopping.abort()
    },
    async drain() {
      while (worker.inFlight() > 0 || sent.underWay()) {
        await Promise.all([worker.drain(), sent.underWay()])
      }
    },
  }
}

/** Advances a reply until it waits or ends. An error defers it; an unavailable database releases its claim. */
async function runToItsRest(deps: RunReplyDeps & Context, reply: ClaimedReply): Promise<void> {
  try {
    await runReply(deps, reply)
  } catch (error) {
    // The claim is released, and the reply continues later.
    if (isDatabaseUnavailable(error)) throw error
    deps.log.error({ err: error, replyId: reply.id }, 'a reply could not be taken on')
    await deferReply(deps, reply)
  }
}

/** Returns this process's dependencies of replies. */
function depsOfReplies(
  context: Context,
  {
    keyRing,
    outbound,
    models,
    store,
    tools,
    eagerClaimFor,
    dispatchMessages,
    beginTyping,
    guard,
  }: Deps,
) {
  return {
    ...context,
    keyRing,
    outbound,
    models,
    tools,
    eagerClaimFor,
    dispatchMessages,
    beginTyping,
    guard,
    withMedia: createMediaBudget({ store, log: context.log }),
    operatorModel: () => models.operator(),
    sentence: (code: keyof typeof assistantWords.en, language: 'ar' | 'en') =>
      sayIn(assistantWords, language)(code),
  }
}
