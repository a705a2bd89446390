import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import { TELEGRAM_LIMITS } from '../../../core/limits/telegram.ts'
import type { FetchedMedia } from '../channel-adapter.ts'
import type { MediaRef, ProviderError } from '../inbound.ts'
import { ANSWER_TOO_LARGE } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readJson, readText } from '../provider/read-values.ts'
import { callBotApi, fetchBotFile, notAnswered, type TelegramConnection } from './call-bot-api.ts'
import { readTelegramError } from './errors.ts'

/**
 * Downloads a customer's attachment. Its address is requested for each download, as it is valid for an hour. Bots
 * receive files of up to 20 MB.
 */
export async function fetchMedia(
  client: ProviderClient,
  connection: TelegramConnection,
  { providerMediaId }: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  if (providerMediaId === undefined) return { outcome: 'lost', why: fact('file_gone') }
  const called = await callBotApi(client, connection, {
    method: 'getFile',
    body: { file_id: providerMediaId },
  })
  if (called.outcome !== 'ok') {
    const isTooBig = /file is too big/i.test(called.error.message)
    return isTooBig ? tooLarge(TELEGRAM_LIMITS.fetchedBytes) : refused(called.error)
  }
  const file = readFields(called.result)
  if (Number(readId(file.file_size) ?? 0) > maxBytes) return tooLarge(maxBytes)
  const path = readText(file.file_path)
  if (path === undefined) {
    return refused({ code: 'no_file_path', class: 'transient', message: '' })
  }
  const fetched = await fetchBotFile(client, connection, path, {
    deadlineMs: FILE_ENGINE.fetchMs,
    answerBytes: maxBytes,
  })
  if (fetched.outcome !== 'answered') {
    const isTooLarge = fetched.outcome === 'lost' && fetched.code === ANSWER_TOO_LARGE
    return isTooLarge ? tooLarge(maxBytes) : refused(notAnswered(fetched.outcome, fetched.code))
  }
  const { status, bytes, retryAfter } = fetched
  if (status === 200) return { outcome: 'fetched', bytes }
  const answer = readFields(readJson(bytes.subarray(0, 4_096)))
  const error = readTelegramError(status, answer, retryAfter)
  // The address may have expired; a retry requests a new one.
  return refused(status === 404 ? { ...error, class: 'transient' } : error)
}

const refused = (error: ProviderError): FetchedMedia => ({ outcome: 'refused', error })
const tooLarge = (max: number): FetchedMedia => ({
  outcome: 'lost',
  why: fact('file_too_large', { max }),
})
