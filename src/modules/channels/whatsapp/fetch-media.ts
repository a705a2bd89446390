import { createHash } from 'node:crypto'
import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import type { FetchedMedia } from '../channel-adapter.ts'
import type { MediaRef, ProviderError } from '../inbound.ts'
import { ANSWER_TOO_LARGE, exchangeOnce } from '../provider/http-exchange.ts'
import { callGraph, explainFailure, headersOf } from '../meta/call-graph.ts'
import { isFileHost } from '../meta/file-hosts.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { WhatsAppConnection } from './connection.ts'
import { readFields, readId, readProviderJson, readText } from '../provider/read-values.ts'

/**
 * Downloads a customer's attachment, from Meta's hosts only, as the request contains the access token. Its address is
 * requested for each download, as it is valid for five minutes. The checksums that WhatsApp sent are verified, and
 * `maxBytes` is enforced while downloading.
 */
export async function fetchMedia(
  client: ProviderClient,
  connection: WhatsAppConnection,
  media: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  if (media.providerMediaId === undefined) return { outcome: 'lost', why: fact('file_gone') }
  const result = await callGraph(client, connection, {
    path: [media.providerMediaId],
    query: { phone_number_id: connection.phoneNumberId },
  })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const fields = isAnswer ? readFields(readProviderJson(result.body)) : {}
  const url = URL.parse(readText(fields.url) ?? '')
  if (!isAnswer || !url) return refused(explainFailure(result, connection))
  if (Number(readId(fields.file_size) ?? 0) > maxBytes) return tooLarge(maxBytes)
  if (!isFileHost(url, connection)) {
    return refused({ code: 'url_elsewhere', class: 'other', message: `not at ${url.host}` })
  }
  const fetched = await exchangeOnce(
    client.dispatcher,
    {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { ...headersOf(connection), accept: '*/*' },
    },
    { deadlineMs: FILE_ENGINE.fetchMs, answerBytes: maxBytes },
  )
  if (fetched.outcome === 'lost' && fetched.code === ANSWER_TOO_LARGE) return tooLarge(maxBytes)
  if (fetched.outcome !== 'answered') return refused(explainFailure(fetched, connection))
  const { bytes, status } = fetched
  if (status !== 200) {
    return refused(
      explainFailure({ ...fetched, body: bytes.toString('utf8', 0, 4_096) }, connection),
    )
  }
  const sums = [media.sha256, readText(fields.sha256)].flatMap((sum) => readSum(sum) ?? [])
  const sum = createHash('sha256').update(bytes).digest('hex')
  if (sums.some((other) => other !== sum)) {
    const why = fact('file_differs')
    return refused({ code: 'checksum', class: 'transient', message: '', why })
  }
  return { outcome: 'fetched', bytes }
}

/** Decodes a checksum, which WhatsApp writes as hexadecimal digits or as Base64. */
function readSum(sum: string | undefined): string | null {
  if (sum === undefined) return null
  if (/^[0-9a-f]{64}$/i.test(sum)) return sum.toLowerCase()
  const bytes = Buffer.from(sum, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : null
}

const refused = (error: ProviderError): FetchedMedia => ({ outcome: 'refused', error })
const tooLarge = (max: number): FetchedMedia => ({
  outcome: 'lost',
  why: fact('file_too_large', { max }),
})
