/** Methods with which a bot sends texts with buttons, and files. Their errors are those of the Bot API. */
import type { Clock } from '../time.ts'
import type { MediaShelf, ShelvedFile } from '../media-shelf.ts'
import { botIdOf, type Bot, type Keyboard, type TelegramBook, type TelegramPerson } from './book.ts'
import { BotApiError, badRequest } from './bot-api-error.ts'
import { TELEGRAM_SIMULATOR_LIMITS } from './limits.ts'
import type { CallParameters } from './read-call.ts'
import { botUserOf, chatOf, fileOf, seconds, shelfIdOf, type FileKind } from './wire.ts'

type Wire = Record<string, unknown>
type Deps = { book: TelegramBook; shelf: MediaShelf; clock: Clock }

const KINDS: Readonly<Record<string, FileKind>> = {
  sendPhoto: 'photo',
  sendVideo: 'video',
  sendAudio: 'audio',
  sendVoice: 'voice',
  sendDocument: 'document',
  sendSticker: 'sticker',
}

const SHOWN = { photo: 'image', video: 'video', audio: 'audio', voice: 'audio' } as const

/**
 * Returns the sending method of this name; null for any other name.
 * @throws BotApiError when the method is called.
 */
export function sendMethod(
  deps: Deps,
  name: string,
): ((bot: Bot, call: CallParameters) => Wire) | null {
  if (name === 'sendMessage') return (bot, call) => sendText(deps, bot, call)
  const kind = KINDS[name]
  return kind ? (bot, call) => sendFile(deps, bot, call, kind) : null
}

function sendText(deps: Deps, bot: Bot, call: CallParameters): Wire {
  const person = readChat(deps, bot, call)
  const text = call.text('text')?.trim() ?? ''
  if (text === '') throw badRequest('message text is empty')
  if ([...text].length > TELEGRAM_SIMULATOR_LIMITS.textChars)
    throw badRequest('message is too long')
  return say(deps, bot, person, call, { wire: { text }, text })
}

function sendFile(deps: Deps, bot: Bot, call: CallParameters, kind: FileKind): Wire {
  const person = readChat(deps, bot, call)
  const caption = call.text('caption') ?? ''
  if ([...caption].length > TELEGRAM_SIMULATOR_LIMITS.captionChars) {
    throw badRequest('message caption is too long')
  }
  const { id, file, name } = readFile(deps, call, kind)
  const shown = kind in SHOWN ? SHOWN[kind as keyof typeof SHOWN] : 'document'
  return say(deps, bot, person, call, {
    wire: { ...fileOf(kind, { id, file, name }), ...(caption === '' ? {} : { caption }) },
    text: caption,
    file: { kind: shown, id },
  })
}

/**
 * Returns the person of the chat.
 * @throws BotApiError if there is none, or if the bot may not write to them.
 */
function readChat({ book }: Deps, bot: Bot, call: CallParameters): TelegramPerson {
  const chatId = call.text('chat_id') ?? ''
  if (chatId === '') throw badRequest('chat_id is empty')
  const person = book.people.get(chatId)
  if (!person) throw badRequest('chat not found')
  const botId = botIdOf(bot)
  if (book.isBlocked(botId, chatId)) {
    throw new BotApiError(403, 'Forbidden: bot was blocked by the user')
  }
  if (!book.hasBegun(botId, chatId)) {
    throw new BotApiError(403, "Forbidden: bot can't initiate conversation with a user")
  }
  return person
}

function readFile(
  { shelf }: Deps,
  call: CallParameters,
  kind: FileKind,
): { id: string; file: ShelvedFile; name: string | undefined } {
  const given = call.file(kind)
  if (given) {
    const { photoBytes, fileBytes } = TELEGRAM_SIMULATOR_LIMITS
    if (given.bytes.length > (kind === 'photo' ? photoBytes : fileBytes)) {
      throw new BotApiError(413, 'Request Entity Too Large')
    }
    // The type follows from the bytes, not from the file's name.
    const picture = pictureType(given.bytes)
    if (kind === 'photo' && !picture) throw badRequest('IMAGE_PROCESS_FAILED')
    const { id } = shelf.put(given.bytes, picture ?? given.mimeType)
    return { id, file: shelf.find(id)!, name: given.name }
  }
  const named = call.text(kind)
  if (named === undefined) throw badRequest(`there is no ${kind} in the request`)
  const id = shelfIdOf(named)
  const file = id === null ? undefined : shelf.find(id)
  if (id === null || !file) {
    throw badRequest('wrong remote file identifier specified: Wrong string length')
  }
  return { id, file, name: undefined }
}

const PICTURES: readonly (readonly [head: string, type: string])[] = [
  ['\xff\xd8\xff', 'image/jpeg'],
  ['\x89PNG\r\n', 'image/png'],
  ['GIF8', 'image/gif'],
  ['RIFF', 'image/webp'],
]

function pictureType(bytes: Buffer): string | undefined {
  const head = bytes.toString('latin1', 0, 8)
  return PICTURES.find(([begins]) => head.startsWith(begins))?.[1]
}

function say(
  { book, clock }: Deps,
  bot: Bot,
  person: TelegramPerson,
  call: CallParameters,
  said: {
    wire: Wire
    text: string
    file?: { kind: 'image' | 'audio' | 'video' | 'document'; id: string }
  },
): Wire {
  const keyboard = readKeyboard(call)
  const at = clock.now().getTime()
  const messageId = book.nextMessageId()
  const markup = call.get('reply_markup')
  const wire = {
    message_id: messageId,
    from: botUserOf(bot),
    chat: chatOf(person),
    date: seconds(at),
    ...said.wire,
    ...(keyboard.length > 0 ? { reply_markup: markup } : {}),
  }
  const { text, file } = said
  const place = { botId: botIdOf(bot), personId: person.id, messageId, from: 'business' as const }
  const message = { ...place, at, wire, text, keyboard, ...(file ? { file } : {}) }
  book.commit([{ kind: 'message', message }])
  return wire
}

/** Reads the buttons of a message. @throws BotApiError for a button without data or with too much */
function readKeyboard(call: CallParameters): Keyboard {
  const markup = call.get('reply_markup') as { inline_keyboard?: unknown } | undefined
  const rows = Array.isArray(markup?.inline_keyboard) ? (markup.inline_keyboard as unknown[]) : []
  const buttons = rows.flat() as { text?: unknown; callback_data?: unknown; url?: unknown }[]
  return buttons.map(({ text, callback_data: data, url }) => {
    if (typeof text !== 'string' || text === '') throw badRequest('button text must be non-empty')
    if (typeof url === 'string') return { text, data: null, url }
    if (typeof data !== 'string') {
      throw badRequest(
        "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
      )
    }
    const bytes = Buffer.byteLength(data)
    if (bytes === 0 || bytes > TELEGRAM_SIMULATOR_LIMITS.callbackDataBytes) {
      throw badRequest('BUTTON_DATA_INVALID')
    }
    return { text, data }
  })
}
