/** Delivery of updates to a bot: by a long poll, or by a POST to its webhook. */
import type { Update } from './book.ts'
import { BotApiError } from './bot-api-error.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import { createUpdateSender, type PostDeps } from './post-updates.ts'

/** A long poll of a bot for updates. */
export type PollRequest = {
  offset: number | undefined
  limit: number
  waitMs: number
  /** Registers a function for the end of the client's connection. */
  onGone(gone: () => void): void
}

type Waiting = { answer(updates: readonly Update[]): void; refuse(error: BotApiError): void }

const conflictError = () =>
  new BotApiError(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  )

/** The delivery of updates to bots. */
export type TelegramUpdates = ReturnType<typeof createUpdates>

/** Creates the delivery of updates to bots, by long poll or by webhook. */
export function createUpdates(deps: PostDeps) {
  const { book } = deps
  const sender = createUpdateSender(deps)
  const waiting = new Map<string, Waiting>()

  const dueOf = (botId: string, limit: number = TELEGRAM_SIMULATOR_LIMITS.updatesPerPoll) =>
    book.updatesOf(botId).slice(0, limit)

  /** Waits for updates. An earlier poll of the same bot is refused. */
  function poll(
    botId: string,
    { offset, limit, waitMs, onGone }: PollRequest,
  ): Promise<readonly Update[]> {
    waiting.get(botId)?.refuse(conflictError())
    if (offset !== undefined) confirm(botId, offset)
    const due = dueOf(botId, limit)
    if (due.length > 0 || waitMs === 0) return Promise.resolve(due)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => end(() => resolve([])), waitMs)
      const mine: Waiting = {
        answer: (updates) => end(() => resolve(updates.slice(0, limit))),
        refuse: (error) => end(() => reject(error)),
      }
      function end(respond: () => void): void {
        clearTimeout(timer)
        if (waiting.get(botId) === mine) waiting.delete(botId)
        respond()
      }
      waiting.set(botId, mine)
      onGone(() => end(() => resolve([])))
    })
  }

  /** Confirms updates. A negative offset counts from the end, and confirms the updates before it. */
  function confirm(botId: string, offset: number): void {
    const due = book.updatesOf(botId)
    const before = offset < 0 ? due.at(offset)?.updateId : offset
    if (before === undefined || !due.some(({ updateId }) => updateId < before)) return
    book.commit([{ kind: 'confirmed', botId, before }])
  }

  function wake(botId: string): void {
    if (book.webhookOf(botId)) return sender.begin(botId)
    const due = dueOf(botId)
    if (due.length > 0) waiting.get(botId)?.answer(due)
  }

  const stopListening = book.onCommit((entries) => {
    const bots = entries.flatMap((entry) => {
      if (entry.kind === 'update') return entry.update.botId
      return entry.kind === 'webhook' ? entry.botId : []
    })
    for (const botId of new Set(bots)) wake(botId)
  })

  return {
    poll,
    confirm,
    wake,
    lastFailure: sender.lastFailure,
    async stop(): Promise<void> {
      stopListening()
      for (const one of waiting.values()) one.answer([])
      await sender.stop()
    },
  }
}
