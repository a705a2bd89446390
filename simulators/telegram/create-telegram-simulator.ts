/**
 * Simulates Telegram for development and tests: the Bot API, its updates by a long poll or a POST, and the phones of
 * simulated customers. A service uses it as it would use Telegram, with another base URL.
 */
import { createActivity } from '../activity.ts'
import { SIMULATOR_LIMITS } from '../limits.ts'
import { createMediaShelf, type ShelvedFile } from '../media-shelf.ts'
import type { SimulatorEnvironment, SimulatedProvider } from '../provider.ts'
import { createTypingShown, type TypingShown } from '../typing-shown.ts'
import { createTelegramBook, type Bot, type TelegramMessage, type TelegramPerson } from './book.ts'
import { plannedFaultKey, createBotApi, type PlannedFault } from './bot-api.ts'
import { createTelegramActions, type Chat, type TelegramActions } from './customer-actions.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import { createTelegramPhones } from './phones.ts'
import type { TelegramSwitches } from './post-updates.ts'
import { createUpdates } from './updates.ts'
import { seconds } from './wire.ts'

/** The handles of the simulator for the program that started it. */
export type TelegramSimulator = SimulatedProvider &
  TelegramActions & {
    /** Creates a bot, or gives an existing one another token, as BotFather does. */
    addBot(bot: Bot): void
    /** Revokes a token. */
    revoke(token: string): void
    /** Returns the messages of a chat, the oldest first. */
    chat(chat: Chat): TelegramMessage[]
    /** Returns the number of a bot's unconfirmed updates. */
    waiting(botId: string): number
    /** Returns the number of taps whose buttons still show a spinner. */
    unansweredTaps(): number
    /** The times at which a bot showed its typing indicator. */
    typing: TypingShown['all']
    mediaFile(id: string): ShelvedFile | undefined
    /** Makes the next call of a method by a bot fail in this way. */
    planFault(botId: string, method: string, way: PlannedFault): void
    /** Faults, which may be changed at any time. */
    switches: TelegramSwitches
  }

/** The bots and customers with which the simulator starts. */
export type TelegramOptions = {
  bots?: readonly Bot[]
  /** Customers that exist from the first start. */
  people?: readonly TelegramPerson[]
  /** Null stores nothing beyond the process. */
  journalFile?: string | null
}

/** Creates the simulator of Telegram: the Bot API, updates and customers' phones. */
export function createTelegramSimulator(
  { origin, clock, log }: SimulatorEnvironment,
  { bots: first = [], people = [], journalFile = null }: TelegramOptions,
): TelegramSimulator {
  const baseUrl = `${origin}/simulator/telegram`
  const bots = new Map(first.map((bot) => [bot.token, bot]))
  const firstNumber = seconds(clock.now().getTime())
  const book = createTelegramBook({ journalFile, log, firstNumber })
  const shelf = createMediaShelf()
  const activity = createActivity()
  const switches: TelegramSwitches = { deliverTwice: false, attempts: SIMULATOR_LIMITS.attempts }
  const updates = createUpdates({ book, switches, activity, clock, log })
  const plannedFaults = new Map<string, PlannedFault[]>()
  const taps = new Set<string>()
  const typing = createTypingShown({ clock, shownMs: TELEGRAM_SIMULATOR_LIMITS.typingMs })
  const api = createBotApi({ book, bots, updates, shelf, clock, plannedFaults, taps, typing })
  const actions = createTelegramActions({ book, bots, shelf, clock, taps })
  const unknown = people.filter(({ id }) => !book.people.has(id))
  if (unknown.length > 0) {
    book.commit(unknown.map((person) => ({ kind: 'person' as const, person })))
  }
  // An earlier process may have left updates to post.
  for (const token of bots.keys()) updates.wake(token.split(':', 1)[0]!)

  return {
    name: 'telegram',
    title: 'Telegram',
    baseUrl,
    answer: (request, response, url) =>
      api.answer(request, response, url.pathname.slice('/simulator/telegram'.length)),
    phones: createTelegramPhones({ book, bots, shelf, actions, typing }),
    ...actions,
    addBot: (bot) => void bots.set(bot.token, bot),
    revoke: (token) => void bots.delete(token),
    chat: ({ botId, personId }) => book.chat(botId, personId),
    waiting: (botId) => book.updatesOf(botId).length,
    unansweredTaps: () => taps.size,
    typing: typing.all,
    mediaFile: shelf.find,
    planFault(botId, method, way) {
      const key = plannedFaultKey(botId, method)
      plannedFaults.set(key, [...(plannedFaults.get(key) ?? []), way])
    },
    switches,
    idle: activity.idle,
    close: updates.stop,
  }
}
