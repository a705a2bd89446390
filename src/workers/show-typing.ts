/**
 * The worker that shows customers a typing indicator, from one second after a reply began until it is sent, on
 * channels that support it. It neither delays a reply nor fails it.
 *
 * Spec: Assistant › When it answers.
 */
import type { ClaimedReply } from '../modules/assistant/reply-queue.ts'
import { readTypingTargets, type TypingTarget } from '../modules/assistant/typing-targets.sql.ts'
import type { ChannelCache } from '../modules/channels/channel-cache.ts'
import type { ChannelAdapters } from '../modules/channels/registry.ts'
import type { Context } from '../infra/context.ts'
import { TYPING_LIMITS } from '../core/limits/messaging.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createUnderWay } from './in-flight.ts'

/** Begins typing indicators for a reply. Returns a function that ends them. */
export type BeginTyping = (reply: ClaimedReply) => () => void

type Deps = {
  adapters: ChannelAdapters
  knownChannels: ChannelCache
  /** Runs when an indicator is due sooner than the last one. */
  onBegun(): void
}

type Thinking = { reply: ClaimedReply; dueAt: Date; ending: AbortController }

/** Creates the worker that shows customers a typing indicator while the assistant writes. */
export function createShowTypingWorker(
  { db, clock, log }: Context,
  { adapters, knownChannels, onBegun }: Deps,
): ConcurrentWorker & { begin: BeginTyping } {
  const thinking = new Map<string, Thinking>()
  const underWay = createUnderWay(onBegun)

  async function show(due: readonly Thinking[]): Promise<void> {
    const replies = due.map(({ reply }) => reply)
    for (const who of await readTypingTargets(db.kysely, replies)) track(showTo(who))
  }

  function track(work: Promise<void>): void {
    const shown = work.catch((error: unknown) =>
      log.debug({ err: error }, 'typing indicator failed'),
    )
    underWay.follow(shown, null)
  }

  async function showTo({ replyId, channelId, ...to }: TypingTarget): Promise<void> {
    const one = thinking.get(replyId)
    if (!one) return
    const channel = await knownChannels.byId(channelId)
    const typing = channel && adapters[channel.type]?.typing
    if (!typing) return
    const { signal } = one.ending
    if (signal.aborted) return
    one.dueAt = new Date(clock.now().getTime() + typing.everyMs)
    await typing.show(channel, { ...to, signal })
  }

  function begin(reply: ClaimedReply): () => void {
    const dueAt = new Date(clock.now().getTime() + TYPING_LIMITS.afterMs)
    const one = { reply, dueAt, ending: new AbortController() }
    thinking.set(reply.id, one)
    onBegun()
    return () => {
      one.ending.abort()
      if (thinking.get(reply.id) === one) thinking.delete(reply.id)
    }
  }

  return {
    name: 'show-typing',
    begin,
    async work() {
      const now = clock.now()
      const due = [...thinking.values()]
        .filter(({ dueAt }) => dueAt <= now)
        .slice(0, Math.max(0, TYPING_LIMITS.maxConcurrent - underWay.count()))
      if (due.length === 0) return false
      // A channel without indicators is not checked again.
      for (const one of due) one.dueAt = NEVER
      track(show(due))
      return false
    },
    nextDue() {
      const dues = [...thinking.values()].map(({ dueAt }) => dueAt.getTime())
      const isFull = underWay.count() >= TYPING_LIMITS.maxConcurrent
      const next = isFull ? Infinity : Math.min(...dues, Infinity)
      return Promise.resolve(next < NEVER.getTime() ? new Date(next) : null)
    },
    inFlight: underWay.count,
    drain: underWay.drain,
  }
}

const NEVER = new Date(8_640_000_000_000_000)
