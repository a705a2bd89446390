import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import type { FileToSend, Outbound, TapTarget } from '../outbound.ts'
import type { Fields } from '../provider/read-values.ts'

type Media = Extract<Outbound, { kind: 'media' }>
type Words = Exclude<Outbound, { kind: 'media' | 'template' }>

/** Builds the body of Telegram's `sendMessage` for a text with or without buttons. */
export function buildTextMessage(chatId: string, message: Words): Fields {
  const words = { chat_id: chatId, text: message.text }
  if (message.kind === 'text') return words
  const targets = message.kind === 'buttons' ? message.buttons : message.rows
  return {
    ...words,
    reply_markup: { inline_keyboard: targets.map((target, index) => [build(target, index)]) },
  }
}

/**
 * Builds a button. A payload over the limit is replaced by its index; the message and the tapped label then identify
 * it.
 */
function build({ label, payload }: TapTarget, index: number) {
  const fits = Buffer.byteLength(payload) <= TELEGRAM_LIMITS.callbackDataBytes
  return { text: label, callback_data: fits ? payload : `${INDEX_PREFIX}${index}` }
}

const INDEX_PREFIX = 'option:'

/** Returns the payload of a tapped button; undefined when it was over the limit, so that its index was sent instead. */
export function readCallbackData(data: string | undefined): string | undefined {
  return data?.startsWith(INDEX_PREFIX) ? undefined : data
}

const METHODS = {
  image: ['sendPhoto', 'photo'],
  video: ['sendVideo', 'video'],
  audio: ['sendAudio', 'audio'],
  voice: ['sendVoice', 'voice'],
  document: ['sendDocument', 'document'],
} as const

/** Sounds that Telegram plays; others are sent as files. */
const PLAYED: Readonly<Record<string, 'audio' | 'voice'>> = {
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'voice',
}

/** The method that sends a file, and its field. */
export type SendMethod = { method: string; field: string }

/** The method that sends any file as a document. */
export const AS_DOCUMENT: SendMethod = { method: 'sendDocument', field: 'document' }

/** Returns the Bot API method that sends a file of its type, and the field that holds the file. */
export function methodOf({ mediaKind }: Media, { mediaType }: FileToSend): SendMethod {
  const kind = mediaKind === 'audio' ? (PLAYED[mediaType] ?? 'document') : mediaKind
  const [method, field] = METHODS[kind]
  return { method, field }
}
