/**
 * The state of the simulator: people, messages, and updates that no bot has confirmed. It changes only by entries,
 * which are written to a journal first, so that answered calls survive the end of the process.
 */
import { SIMULATOR_LIMITS } from '../limits.ts'
import { openJournal, readJournal } from '../journal.ts'
import type { SimulatorLog } from '../provider.ts'
import type { PhoneMessage } from '../provider.ts'

/** A bot as BotFather creates it: its id is the digits before the colon of its token. */
export type Bot = { token: string; name: string; username: string }
/** Returns the id of a bot, which its token begins with. */
export const botIdOf = ({ token }: Pick<Bot, 'token'>) => token.split(':', 1)[0]!

/** A simulated Telegram user. */
export type TelegramPerson = {
  /** The person's id in digits, which is also the id of the chat with them. */
  id: string
  firstName: string
  lastName?: string
  username?: string
  languageCode?: string
}

/** The buttons below a message; `data` is what a tap sends to the bot. */
export type Keyboard = { text: string; data: string | null; url?: string }[]

/** A stored message of a chat. */
export type TelegramMessage = {
  botId: string
  personId: string
  messageId: number
  from: 'customer' | 'business'
  /** Milliseconds since 1970. */
  at: number
  /** The message in the Bot API's form. */
  wire: Record<string, unknown>
  /** The text on the phone. */
  text: string
  file?: PhoneMessage['file']
  keyboard: Keyboard
}

/** An update that its bot has not confirmed. */
export type Update = { botId: string; updateId: number; body: Record<string, unknown> }

/** The webhook that a bot has set. */
export type WebhookSetting = { url: string; secret: string | null; allowed: string[] | null }

/** A change of the state, as the journal stores it. */
export type TelegramEntry =
  | { kind: 'person'; person: TelegramPerson }
  | { kind: 'message'; message: TelegramMessage }
  | { kind: 'update'; update: Update }
  /** All updates of the bot before this one are confirmed. */
  | { kind: 'confirmed'; botId: string; before: number }
  | { kind: 'webhook'; botId: string; setting: WebhookSetting | null }
  | { kind: 'blocked'; botId: string; personId: string; isBlocked: boolean }

const chatKey = (botId: string, personId: string) => `${botId} ${personId}`

/** Builds the state from entries. Ids of messages and updates continue from `firstNumber`. */
function createState(firstNumber: number) {
  const people = new Map<string, TelegramPerson>()
  const messages: TelegramMessage[] = []
  const updates = new Map<string, Update[]>()
  const webhooks = new Map<string, WebhookSetting>()
  const blocked = new Set<string>()
  const begun = new Set<string>()
  const last = { message: firstNumber, update: firstNumber }

  function write(entry: TelegramEntry): void {
    switch (entry.kind) {
      case 'person':
        people.set(entry.person.id, entry.person)
        return
      case 'message': {
        const { botId, personId, messageId, from } = entry.message
        messages.push(entry.message)
        messages.splice(0, messages.length - SIMULATOR_LIMITS.messages)
        last.message = Math.max(last.message, messageId)
        if (from === 'customer') begun.add(chatKey(botId, personId))
        return
      }
      case 'update': {
        const { botId, updateId } = entry.update
        updates.set(botId, [...(updates.get(botId) ?? []), entry.update])
        last.update = Math.max(last.update, updateId)
        return
      }
      case 'confirmed': {
        const left = (updates.get(entry.botId) ?? []).filter((one) => one.updateId >= entry.before)
        updates.set(entry.botId, left)
        if (Number.isFinite(entry.before)) last.update = Math.max(last.update, entry.before - 1)
        return
      }
      case 'webhook':
        if (entry.setting) webhooks.set(entry.botId, entry.setting)
        else webhooks.delete(entry.botId)
        return
      case 'blocked': {
        const key = chatKey(entry.botId, entry.personId)
        if (entry.isBlocked) blocked.add(key)
        else blocked.delete(key)
      }
    }
  }

  /** Returns the whole state as entries. */
  function list(): TelegramEntry[] {
    const pending = [...updates.values()].flat()
    return [
      ...[...people.values()].map((person) => ({ kind: 'person' as const, person })),
      ...messages.map((message) => ({ kind: 'message' as const, message })),
      { kind: 'confirmed', botId: '', before: last.update + 1 },
      ...pending.map((update) => ({ kind: 'update' as const, update })),
      ...[...webhooks].map(([botId, setting]) => ({ kind: 'webhook' as const, botId, setting })),
      ...[...blocked].map((key) => {
        const [botId = '', personId = ''] = key.split(' ')
        return { kind: 'blocked' as const, botId, personId, isBlocked: true }
      }),
    ]
  }

  return { people, messages, updates, webhooks, blocked, begun, last, write, list }
}

/** The state of the Telegram simulator. */
export type TelegramBook = ReturnType<typeof createTelegramBook>

/** Creates the state of the Telegram simulator: people, messages and unconfirmed updates, restored from the journal. */
export function createTelegramBook({
  journalFile,
  log,
  firstNumber,
}: {
  journalFile: string | null
  log: SimulatorLog
  /** The first id of messages and updates. It differs between starts without a journal, so that no id is used twice. */
  firstNumber: number
}) {
  const state = createState(firstNumber)
  const { people, messages, updates, webhooks, blocked, begun, last } = state
  const listeners = new Set<(entries: readonly TelegramEntry[]) => void>()
  const journal = journalFile === null ? null : openJournal<TelegramEntry>(journalFile, WHO)
  let lines = 0

  if (journalFile !== null && journal !== null) {
    const { entries, unreadable } = readJournal(journalFile, WHO)
    for (const entry of entries as TelegramEntry[]) state.write(entry)
    if (unreadable > 0) log(`Simulator: left out ${unreadable} lines of ${journalFile}`)
    journal.rewrite(state.list())
  }

  return {
    people,
    /** Returns the pending updates, the oldest first. */
    updatesOf: (botId: string): readonly Update[] => updates.get(botId) ?? [],
    webhookOf: (botId: string) => webhooks.get(botId) ?? null,
    isBlocked: (botId: string, personId: string) => blocked.has(chatKey(botId, personId)),
    /** Returns true if the person has written to the bot before, which the bot needs to write to them. */
    hasBegun: (botId: string, personId: string) => begun.has(chatKey(botId, personId)),
    chat: (botId: string, personId: string) =>
      messages.filter((one) => one.botId === botId && one.personId === personId),
    nextMessageId: () => last.message + 1,
    nextUpdateId: () => last.update + 1,
    /** Writes entries that belong together: to the journal first, then to the book. */
    commit(entries: readonly TelegramEntry[]): void {
      journal?.append(entries)
      for (const entry of entries as TelegramEntry[]) state.write(entry)
      lines += 1
      if (journal && lines >= SIMULATOR_LIMITS.linesBeforeCompaction) {
        lines = 0
        journal.rewrite(state.list())
      }
      for (const listener of listeners) listener(entries)
    },
    onCommit(listener: (entries: readonly TelegramEntry[]) => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const WHO = 'telegram-simulator'
