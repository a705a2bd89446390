import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import type { FileToSend, Outbound, TapTarget } from '../outbound.ts'
import type { Fields } from '../provider/read-values.ts'

type Media = Extract<Outbound, { kind: 'media' }>
type Words = Exclude<Outbound, { kind: 'media' | 'template' }>

/** The body of `sendMessage`. */
export function buildWords(chatId: string, message: Words): Fields {
  const words = { chat_id: chatId, text: message.text }
  if (message.kind === 'text') return words
  const targets = message.kind === 'buttons' ? message.buttons : message.rows
  return {
    ...words,
    reply_markup: { inline_keyboard: targets.map((target, place) => [build(target, place)]) },
  }
}

/** What is too long to be brought back is known by the message and the label that was tapped. */
function build({ label, payload }: TapTarget, place: number) {
  const fits = Buffer.byteLength(payload) <= TELEGRAM_LIMITS.callbackDataBytes
  return { text: label, callback_data: fits ? payload : `${PLACE}${place}` }
}

const PLACE = 'option:'

/** What a tap brings back of what we gave it; undefined where that was too long. */
export function readCallbackData(data: string | undefined): string | undefined {
  return data?.startsWith(PLACE) ? undefined : data
}

const METHODS = {
  image: ['sendPhoto', 'photo'],
  video: ['sendVideo', 'video'],
  audio: ['sendAudio', 'audio'],
  voice: ['sendVoice', 'voice'],
  document: ['sendDocument', 'document'],
} as const

/** Sounds that Telegram plays; others it gives as files. */
const PLAYED: Readonly<Record<string, 'audio' | 'voice'>> = {
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/ogg': 'voice',
}

/** The method that a file is sent by, and the field that it goes in. */
export type HowSent = { method: string; field: string }

/** Telegram takes any file so. */
export const AS_DOCUMENT: HowSent = { method: 'sendDocument', field: 'document' }

export function methodOf({ mediaKind }: Media, { mediaType }: FileToSend): HowSent {
  const kind = mediaKind === 'audio' ? (PLAYED[mediaType] ?? 'document') : mediaKind
  const [method, field] = METHODS[kind]
  return { method, field }
}
