/** Views of Telegram for the page of phones. */
import { SIMULATOR_LIMITS } from '../limits.ts'
import type { ChatPlace, PhoneChat, PhoneList, PhoneMessage } from '../provider.ts'
import {
  botIdOf,
  type Bot,
  type TelegramBook,
  type TelegramMessage,
  type TelegramPerson,
} from './book.ts'
import { SAMPLE_NAMES, type SampleName } from './samples.ts'

const LABELS: Record<SampleName, string> = {
  image: 'Photo',
  video: 'Video',
  voice: 'Voice message',
  document: 'Document',
  sticker: 'Sticker',
  location: 'Location',
  contact: 'My contact card',
  poll: 'Poll',
}

const nameOf = (person: TelegramPerson | undefined) =>
  [person?.firstName, person?.lastName].filter(Boolean).join(' ')

/** Returns the phones of the requested bot, or of the first one. */
export function viewPhones(
  book: TelegramBook,
  bots: readonly Bot[],
  accountId: string | null,
  isUnread: (message: TelegramMessage) => boolean,
): PhoneList {
  const bot = bots.find((one) => botIdOf(one) === accountId) ?? bots[0]
  const chosen = bot ? botIdOf(bot) : null
  const people = [...book.people.values()].map((person) => {
    const chat = chosen === null ? [] : book.chat(chosen, person.id)
    const lastAt = chat.at(-1)?.at ?? 0
    const shown = {
      id: person.id,
      name: nameOf(person),
      detail: person.username === undefined ? `id ${person.id}` : `@${person.username}`,
      lastText: chat.at(-1)?.text.slice(0, 80) ?? '',
      unread: chat.filter(isUnread).length,
    }
    return { lastAt, shown }
  })
  const waiting = chosen === null ? 0 : book.updatesOf(chosen).length
  return {
    chosen,
    accounts: bots.map((one) => ({ id: botIdOf(one), label: `${one.name} (@${one.username})` })),
    people: people
      .toSorted((a, b) => b.lastAt - a.lastAt)
      .slice(0, SIMULATOR_LIMITS.phonesShown)
      .map(({ shown }) => shown),
    waiting: waiting === 0 ? '' : `Updates that the bot has not taken yet: ${waiting}`,
  }
}

/** Returns the chat between a person and a bot as the simulator's page shows it. */
export function viewChat(book: TelegramBook, { accountId, personId }: ChatPlace): PhoneChat {
  const person = book.people.get(personId)
  const isBlocked = book.isBlocked(accountId, personId)
  const about = [person?.username && `@${person.username}`, `id ${personId}`, person?.languageCode]
  return {
    name: nameOf(person) || personId,
    detail: about.filter(Boolean).join('  ·  '),
    badge: isBlocked ? { text: 'Bot blocked', isOn: false } : null,
    messages: book.chat(accountId, personId).slice(-SIMULATOR_LIMITS.chatMessages).map(viewMessage),
    tools: [
      ...['/start', 'STOP', 'START'].map((word) => ({
        label: word,
        action: { action: 'say', words: word },
      })),
      ...SAMPLE_NAMES.map((name) => ({
        label: LABELS[name],
        action: { action: 'sendSample', name },
      })),
      { label: 'Edit last message', action: { action: 'edit' } },
      {
        label: 'Block bot',
        action: { action: 'block', isBlocked: !isBlocked },
        isOn: isBlocked,
      },
    ],
  }
}

function viewMessage(message: TelegramMessage): PhoneMessage {
  const { messageId, from, at, text, keyboard, file } = message
  return {
    id: String(messageId),
    from,
    at,
    text,
    ...(file ? { file } : {}),
    buttons: keyboard.map(({ text: label, data }, place) => ({
      text: label,
      action: data === null ? null : { action: 'tap', messageId, place },
    })),
    note: '',
  }
}
