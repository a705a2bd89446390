import type { MediaShelf } from '../media-shelf.ts'
import type { PhoneAction, Phones } from '../provider.ts'
import type { TypingShown } from '../typing-shown.ts'
import type { Bot, TelegramBook, TelegramMessage } from './book.ts'
import type { Chat, TelegramActions } from './customer-actions.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import { SAMPLE_NAMES } from './samples.ts'
import { viewChat, viewPhones } from './view-phones.ts'

type Deps = {
  book: TelegramBook
  bots: ReadonlyMap<string, Bot>
  shelf: MediaShelf
  actions: TelegramActions
  typing: TypingShown
}

/**
 * Creates the phones of Telegram customers, in which the simulator's page shows chats and acts as the customers. Read
 * marks last as long as the process.
 */
export function createTelegramPhones({ book, bots, shelf, actions, typing }: Deps): Phones {
  const readTo = new Map<string, number>()
  const listeners = new Set<() => void>()
  const keyOf = ({ botId, personId }: Chat) => `${botId} ${personId}`
  const isUnread = (message: TelegramMessage) =>
    message.from === 'business' && message.messageId > (readTo.get(keyOf(message)) ?? 0)

  function read(chat: Chat): void {
    const last = book.chat(chat.botId, chat.personId).at(-1)
    if (!last || readTo.get(keyOf(chat)) === last.messageId) return
    readTo.set(keyOf(chat), last.messageId)
    for (const listener of listeners) listener()
  }

  return {
    accountLabel: 'Bot',
    newPerson: [
      { name: 'firstName', label: 'New customer’s name', placeholder: 'Name' },
      { name: 'languageCode', label: 'Telegram language', placeholder: 'ar or en' },
    ],
    list: (accountId) => viewPhones(book, [...bots.values()], accountId, isUnread),
    chat(place) {
      const { accountId, personId } = place
      const sent = book.chat(accountId, personId).findLast(({ from }) => from === 'business')
      const typingMs = typing.leftMs(accountId, personId, sent?.at ?? 0)
      return { ...viewChat(book, place), typingMs }
    },
    act(action) {
      if (action.action === 'read') return read(placeOf(action))
      return act({ book, actions }, action)
    },
    file: shelf.find,
    onChange(listener) {
      listeners.add(listener)
      const stop = book.onCommit(listener)
      const stopTyping = typing.onChange(listener)
      return () => {
        listeners.delete(listener)
        stop()
        stopTyping()
      }
    },
  }
}

const wordsOf = (value: unknown, max: number = TELEGRAM_SIMULATOR_LIMITS.textChars): string =>
  typeof value === 'string' ? value.trim().slice(0, max) : ''

/** Returns the open chat. @throws Error if none is open */
function placeOf({ accountId, personId }: PhoneAction): Chat {
  if (accountId === undefined || personId === undefined) throw new Error('Choose a phone first')
  return { botId: accountId, personId }
}

/** Ids of people that the page adds begin after this one. */
const FIRST_ADDED = 700_000_001

/** Executes an action. @throws Error with a sentence for the page */
function act({ book, actions }: Pick<Deps, 'book' | 'actions'>, action: PhoneAction): unknown {
  switch (action.action) {
    case 'addPerson': {
      const firstName = wordsOf(action['firstName'], 64)
      if (firstName === '') throw new Error('A new customer needs a name')
      const language = wordsOf(action['languageCode'], 16)
      const id = String(FIRST_ADDED + book.people.size)
      const spoken = language === '' ? {} : { languageCode: language }
      return { id: actions.addPerson({ id, firstName, ...spoken }).id }
    }
    case 'sendText':
      return { id: actions.sendText(placeOf(action), wordsOf(action['text'])) }
    case 'say':
      return { id: actions.sendText(placeOf(action), wordsOf(action['words'])) }
    case 'sendSample': {
      const name = SAMPLE_NAMES.find((one) => one === action['name'])
      if (!name) throw new Error('There is no such sample')
      return { id: actions.sendSample(placeOf(action), name) }
    }
    case 'tap': {
      const [messageId, place] = [Number(action['messageId']), Number(action['place'])]
      return { id: actions.tap(placeOf(action), messageId, place) }
    }
    case 'block':
      return actions.block(placeOf(action), action['isBlocked'] === true)
    case 'edit':
      return actions.edit(placeOf(action), wordsOf(action['text']) || 'I mean something else')
    default:
      throw new Error('Nobody can do that here')
  }
}
