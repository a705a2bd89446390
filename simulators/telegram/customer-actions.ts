/** Actions of simulated customers with a bot. Each becomes updates. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../time.ts'
import type { MediaShelf } from '../media-shelf.ts'
import { botIdOf, type Bot, type TelegramBook, type TelegramPerson } from './book.ts'
import { sampleOf, type Said, type SampleName } from './samples.ts'
import { botUserOf, chatOf, fileOf, seconds, userOf } from './wire.ts'

type Wire = Record<string, unknown>

/** A chat, by its bot and its person. */
export type Chat = { botId: string; personId: string }

/** The actions of simulated customers with a bot. */
export type TelegramActions = ReturnType<typeof createTelegramActions>

type Deps = {
  book: TelegramBook
  bots: ReadonlyMap<string, Bot>
  shelf: MediaShelf
  clock: Clock
  /** Taps that no bot has answered yet. */
  taps: Set<string>
}

/** Creates the actions of simulated customers with a bot, such as writing and tapping buttons. */
export function createTelegramActions({ book, bots, shelf, clock, taps }: Deps) {
  function find({ botId, personId }: Chat): { bot: Bot; person: TelegramPerson } {
    const bot = [...bots.values()].find((one) => botIdOf(one) === botId)
    const person = book.people.get(personId)
    if (!bot || !person) throw new Error('There is no such bot or phone')
    return { bot, person }
  }

  function update(botId: string, body: Wire) {
    return { kind: 'update' as const, update: { botId, updateId: book.nextUpdateId(), body } }
  }

  /** Adds a message of the customer. Returns its id for the service. */
  function say(chat: Chat, said: Said): string {
    const { person } = find(chat)
    if (book.isBlocked(chat.botId, chat.personId)) {
      throw new Error('This customer has blocked the bot: unblock it first')
    }
    const at = clock.now().getTime()
    const messageId = book.nextMessageId()
    const about = { message_id: messageId, from: userOf(person), chat: chatOf(person) }
    const wire = { ...about, date: seconds(at), ...said.wire }
    const { text, file } = said
    const place = { ...chat, messageId, from: 'customer' as const }
    const message = { ...place, at, wire, text, keyboard: [], ...(file ? { file } : {}) }
    book.commit([{ kind: 'message', message }, update(chat.botId, { message: wire })])
    return `${person.id}:${messageId}`
  }

  return {
    addPerson(person: TelegramPerson): TelegramPerson {
      if (!/^[1-9]\d{0,15}$/.test(person.id)) throw new Error('The id of a user is digits')
      book.commit([{ kind: 'person', person }])
      return person
    },
    sendText: (chat: Chat, text: string): string => say(chat, { wire: { text }, text }),
    /** Quotes a message of the chat by its number. */
    replyTo(chat: Chat, messageId: number, text: string): string {
      const quoted = book
        .chat(chat.botId, chat.personId)
        .find((message) => message.messageId === messageId)
      if (!quoted) throw new Error('There is no such message')
      return say(chat, { wire: { text, reply_to_message: quoted.wire }, text })
    },
    sendSample: (chat: Chat, name: SampleName): string =>
      say(chat, sampleOf(name, find(chat).person, shelf)),
    /** Sends any file as a document. */
    sendFile(chat: Chat, bytes: Buffer, mimeType: string): string {
      const { id } = shelf.put(bytes, mimeType)
      const wire = fileOf('document', { id, file: shelf.find(id)! })
      return say(chat, { wire, text: '[document]', file: { kind: 'document', id } })
    },
    /** Taps a button of the bot's message. Returns the tap's id for the service. */
    tap(chat: Chat, messageId: number, place: number): string {
      const { person } = find(chat)
      const { message, data } = findButton(book, chat, messageId, place)
      const id = randomBytes(8).readBigUInt64BE().toString()
      taps.add(id)
      const query = {
        id,
        from: userOf(person),
        message: message.wire,
        chat_instance: chat.personId,
        data,
      }
      book.commit([update(chat.botId, { callback_query: query })])
      return `cb:${id}`
    },
    /** Blocks the bot, or unblocks it. */
    block(chat: Chat, isBlocked: boolean): void {
      const { bot, person } = find(chat)
      const change = changeOf(bot, person, { isBlocked, at: clock.now() })
      book.commit([
        { kind: 'blocked', botId: chat.botId, personId: chat.personId, isBlocked },
        update(chat.botId, { my_chat_member: change }),
      ])
    },
    /** Edits the customer's last message. */
    edit(chat: Chat, text: string): void {
      find(chat)
      const last = book
        .chat(chat.botId, chat.personId)
        .findLast(({ from, wire }) => from === 'customer' && 'text' in wire)
      if (!last) throw new Error('Nothing was written yet')
      const edited = { ...last.wire, text, edit_date: seconds(clock.now().getTime()) }
      book.commit([update(chat.botId, { edited_message: edited })])
    },
  }
}

/** Returns the button of a message. @throws Error if it sends nothing back */
function findButton(book: TelegramBook, chat: Chat, messageId: number, place: number) {
  const message = book
    .chat(chat.botId, chat.personId)
    .find((one) => one.messageId === messageId && one.from === 'business')
  const data = message?.keyboard[place]?.data
  if (!message || data == null) throw new Error('There is no such button')
  return { message, data }
}

function changeOf(
  bot: Bot,
  person: TelegramPerson,
  { isBlocked, at }: { isBlocked: boolean; at: Date },
): Wire {
  const [before, after] = isBlocked ? ['member', 'kicked'] : ['kicked', 'member']
  const member = (status: string | undefined) => ({
    user: botUserOf(bot),
    status,
    ...(status === 'kicked' ? { until_date: 0 } : {}),
  })
  return {
    chat: chatOf(person),
    from: userOf(person),
    date: seconds(at.getTime()),
    old_chat_member: member(before),
    new_chat_member: member(after),
  }
}
