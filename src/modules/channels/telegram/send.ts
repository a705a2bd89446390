import { fact, type Fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readList } from '../provider/read-values.ts'
import { openMultipartForm } from '../provider/request-body.ts'
import { AS_DOCUMENT, buildTextMessage, methodOf, type SendMethod } from './build-message.ts'
import { callBotApi, type BotApiResult, type TelegramConnection } from './call-bot-api.ts'

type Media = Extract<Outbound, { kind: 'media' }>

/**
 * Sends a message by Telegram's Bot API, once, without a retry. Only an image that Telegram rejects as a photo is sent
 * again, as a document, as the rejection sent nothing.
 * @throws only when a file cannot be read, before sending
 */
export async function sendMessage(
  client: ProviderClient,
  connection: TelegramConnection,
  to: CustomerRef,
  message: Outbound,
  file: FileToSend | null,
): Promise<SendResult> {
  const chatId = to.providerUserId
  if (chatId === undefined)
    return refused('no_address', 'recipient', fact('customer_without_address'))
  if (message.kind === 'template') {
    const why = fact('channel_type_has_no_templates', { channelType: 'telegram' })
    return refused('no_templates', 'template', why)
  }
  if (message.kind !== 'media') {
    const body = buildTextMessage(chatId, message)
    return readSent(await callBotApi(client, connection, { method: 'sendMessage', body }))
  }
  if (!file) return refused('file_gone', 'content', fact('file_gone'))
  return file.providerMediaId === null
    ? sendBytes(client, connection, chatId, message, file)
    : sendKnown(client, connection, chatId, message, file)
}

function refused(
  code: string,
  errorClass: 'recipient' | 'template' | 'content',
  why: Fact,
): SendResult {
  return { outcome: 'refused', error: { code, class: errorClass, message: '', why } }
}

/** Sends a file by the id that Telegram assigned to it. */
async function sendKnown(
  client: ProviderClient,
  connection: TelegramConnection,
  chatId: string,
  message: Media,
  file: FileToSend,
): Promise<SendResult> {
  const known = file.providerMediaId ?? ''
  const isMarked = known.startsWith(DOCUMENT_MARK)
  const { method, field } = isMarked ? AS_DOCUMENT : methodOf(message, file)
  const fileId = isMarked ? known.slice(DOCUMENT_MARK.length) : known
  const body = { chat_id: chatId, [field]: fileId, ...captionOf(message) }
  const sent = readSent(await callBotApi(client, connection, { method, body }))
  if (sent.outcome !== 'refused' || sent.error.class !== 'content') return sent
  // Telegram may have deleted the file: the next attempt uploads it.
  const isOld = await file.forget()
  return isOld ? { ...sent, error: { ...sent.error, class: 'transient' } } : sent
}

const captionOf = ({ caption }: Media) => (caption === null ? {} : { caption })

/**
 * The prefix of the id of an image that was sent as a document, and cannot be sent as a photo. Ids contain no colon.
 */
const DOCUMENT_MARK = 'document:'

async function sendBytes(
  client: ProviderClient,
  connection: TelegramConnection,
  chatId: string,
  message: Media,
  file: FileToSend,
): Promise<SendResult> {
  // Both attempts share one deadline, after which the outcome counts as unknown.
  const signal = AbortSignal.timeout(FILE_ENGINE.uploadMs)
  const upload = (sendMethod: SendMethod) =>
    uploadAs(sendMethod, { client, connection, chatId, message, file, signal })
  const sendMethod = methodOf(message, file)
  const called = await upload(sendMethod)
  if (sendMethod.field !== 'photo' || !isRejectedAsPhoto(called)) {
    await storeFileId(file, called, sendMethod.field)
    return readSent(called)
  }
  const asDocument = await upload(AS_DOCUMENT)
  await storeFileId(file, asDocument, AS_DOCUMENT.field, DOCUMENT_MARK)
  return readSent(asDocument)
}

/**
 * Returns whether an image was rejected as a photo: too wide, too long, or not convertible. It can be sent as a
 * document.
 */
function isRejectedAsPhoto(called: BotApiResult): boolean {
  if (called.outcome !== 'refused' || called.status !== 400) return false
  return /PHOTO_|IMAGE_PROCESS_FAILED/.test(called.error.message)
}

/** Stores the file's id. A failure costs only another upload. */
async function storeFileId(
  file: FileToSend,
  called: BotApiResult,
  field: string,
  mark = '',
): Promise<void> {
  const mediaId = called.outcome === 'ok' ? readFileId(called.result, field) : undefined
  if (mediaId === undefined) return
  await file.remember(mark + mediaId, PROVIDER_LIMITS.uploadKnownMs).catch(() => {})
}

async function uploadAs(
  { method, field }: SendMethod,
  {
    client,
    connection,
    chatId,
    message,
    file,
    signal,
  }: {
    client: ProviderClient
    connection: TelegramConnection
    chatId: string
    message: Media
    file: FileToSend
    signal: AbortSignal
  },
): Promise<BotApiResult> {
  const form = await openMultipartForm(file, {
    fields: { chat_id: chatId, ...captionOf(message) },
    fileField: field,
    fileName: message.fileName ?? `file.${file.mediaType.split('/')[1] ?? 'bin'}`,
  })
  return callBotApi(client, connection, {
    method,
    form,
    deadlineMs: FILE_ENGINE.uploadMs,
    signal,
  }).finally(form.close)
}

/** Returns Telegram's id of the sent file; a picture has several sizes, the largest last. */
function readFileId(result: unknown, field: string): string | undefined {
  const value = readFields(result)[field]
  return readId(readFields(Array.isArray(value) ? readList(value).at(-1) : value).file_id)
}

/**
 * Returns `refused` only when the Bot API refused, or nothing was sent. Telegram never reports the outcome of a send
 * without a response, so after a 5xx it is not sent again.
 */
function readSent(called: BotApiResult): SendResult {
  switch (called.outcome) {
    case 'ok': {
      const message = readFields(called.result)
      const chatId = readId(readFields(message.chat).id)
      const messageId = readId(message.message_id)
      if (chatId === undefined || messageId === undefined) return { outcome: 'unknown' }
      return { outcome: 'accepted', providerMessageId: `${chatId}:${messageId}` }
    }
    case 'refused':
      if (called.status >= 500 || called.status < 400) return { outcome: 'unknown' }
      return { outcome: 'refused', error: called.error }
    case 'not_sent':
      return { outcome: 'refused', error: called.error }
    case 'lost':
      return { outcome: 'unknown' }
  }
}
