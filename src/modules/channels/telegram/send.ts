import { Readable } from 'node:stream'
import { fact, type Fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { FileToSend, Outbound, SendResult } from '../channel-adapter.ts'
import type { CustomerRef } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readList } from '../provider/read-values.ts'
import { AS_DOCUMENT, buildWords, methodOf, type HowSent } from './build-message.ts'
import { callBotApi, type Called, type TelegramConnection } from './call-bot-api.ts'

type Media = Extract<Outbound, { kind: 'media' }>

/**
 * Sends once. Asks again by itself only for a picture that is no photo there: that refusal sent nothing.
 * @throws only where a file cannot be read, and nothing was sent.
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
    const body = buildWords(chatId, message)
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

/** A file that Telegram has is sent by the id that it gave. */
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
  // It may no longer know the file: the next try brings it along.
  const isOld = await file.forget()
  return isOld ? { ...sent, error: { ...sent.error, class: 'transient' } } : sent
}

const captionOf = ({ caption }: Media) => (caption === null ? {} : { caption })

/** Nobody who makes a file knows by which id it will be kept: none can hold the line that ends it. */
const boundaryOf = ({ id }: FileToSend) => `wasla-${id}`

/** Before the id of a picture that went as a document: it cannot be sent as a photo. No id has a colon. */
const DOCUMENT_MARK = 'document:'

async function sendBytes(
  client: ProviderClient,
  connection: TelegramConnection,
  chatId: string,
  message: Media,
  file: FileToSend,
): Promise<SendResult> {
  // Two tries have the time of one: a send that takes longer is taken for lost.
  const signal = AbortSignal.timeout(FILE_ENGINE.uploadMs)
  const upload = (how: HowSent) =>
    uploadAs(how, { client, connection, chatId, message, file, signal })
  const how = methodOf(message, file)
  const called = await upload(how)
  if (how.field !== 'photo' || !isNoPhoto(called)) {
    await rememberSent(file, called, how.field)
    return readSent(called)
  }
  const asDocument = await upload(AS_DOCUMENT)
  await rememberSent(file, asDocument, AS_DOCUMENT.field, DOCUMENT_MARK)
  return readSent(asDocument)
}

/** Too wide, too long, or nothing that Telegram can make smaller: as a document it takes the same bytes. */
function isNoPhoto(called: Called): boolean {
  if (called.outcome !== 'refused' || called.status !== 400) return false
  return /PHOTO_|IMAGE_PROCESS_FAILED/.test(called.error.message)
}

/** Never undoes a send: an id that is not kept costs only another upload. */
async function rememberSent(
  file: FileToSend,
  called: Called,
  field: string,
  mark = '',
): Promise<void> {
  const mediaId = called.outcome === 'ok' ? readFileId(called.result, field) : undefined
  if (mediaId === undefined) return
  await file.remember(mark + mediaId, PROVIDER_LIMITS.uploadKnownMs).catch(() => {})
}

async function uploadAs(
  { method, field }: HowSent,
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
): Promise<Called> {
  const boundary = boundaryOf(file)
  const words = { chat_id: chatId, ...captionOf(message) }
  const named = { field, name: message.fileName ?? `file.${file.mediaType.split('/')[1] ?? 'bin'}` }
  const before = Buffer.from(partsBefore(words, { ...named, type: file.mediaType }, boundary))
  const after = Buffer.from(`\r\n--${boundary}--\r\n`)
  const bytes = await file.read()
  return callBotApi(client, connection, {
    method,
    form: {
      type: `multipart/form-data; boundary=${boundary}`,
      length: before.length + file.size + after.length,
      bytes: Readable.from(inOrder(before, bytes, after)),
    },
    deadlineMs: FILE_ENGINE.uploadMs,
    signal,
  }).finally(() => bytes.destroy())
}

function partsBefore(
  words: Record<string, string>,
  { field, name, type }: { field: string; name: string; type: string },
  boundary: string,
): string {
  const parts = Object.entries(words).map(
    ([key, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  )
  const shown = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ')
  return [
    ...parts,
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${shown}"\r\n`,
    `content-type: ${type}\r\n\r\n`,
  ].join('')
}

async function* inOrder(before: Buffer, bytes: Readable, after: Buffer): AsyncGenerator<Buffer> {
  yield before
  yield* bytes as AsyncIterable<Buffer>
  yield after
}

/** By which Telegram knows what was just sent; a picture is in several sizes, the largest last. */
function readFileId(result: unknown, field: string): string | undefined {
  const value = readFields(result)[field]
  return readId(readFields(Array.isArray(value) ? readList(value).at(-1) : value).file_id)
}

/**
 * Refused only when the Bot API said no to what it was asked, or when nothing was written at all. Nobody ever
 * tells what became of a message whose answer was lost, so after a fault of its own (5xx) it is not sent again.
 */
function readSent(called: Called): SendResult {
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
