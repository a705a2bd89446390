import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import { PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { FetchedMedia } from '../channel-adapter.ts'
import type { MediaRef } from '../inbound.ts'
import { ANSWER_TOO_LARGE, exchangeOnce } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { explainFailure, USER_AGENT } from './call-graph.ts'
import { isFileHost } from './file-hosts.ts'
import type { MessagingConnection } from './messaging-connection.ts'

/** Statuses of deleted files and expired addresses. */
const GONE = new Set([400, 403, 404, 410])

/**
 * Downloads a customer's attachment from the address in the webhook, from Meta's hosts only. The address expires and
 * is signed itself, so the access token is not sent.
 */
export async function fetchAttachment(
  client: ProviderClient,
  connection: MessagingConnection,
  media: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  let url = URL.parse(media.url ?? '')
  for (let hop = 0; url && hop <= PROVIDER_LIMITS.fileHops; hop += 1) {
    if (!isFileHost(url, connection)) break
    const fetched = await exchangeOnce(
      client.dispatcher,
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: '*/*', 'user-agent': USER_AGENT },
      },
      { deadlineMs: FILE_ENGINE.fetchMs, answerBytes: maxBytes },
    )
    if (fetched.outcome === 'lost' && fetched.code === ANSWER_TOO_LARGE) {
      return { outcome: 'lost', why: fact('file_too_large', { max: maxBytes }) }
    }
    if (fetched.outcome !== 'answered') {
      return { outcome: 'refused', error: explainFailure(fetched, connection) }
    }
    const { status, bytes, location } = fetched
    if (status === 200) return { outcome: 'fetched', bytes }
    if (GONE.has(status)) break
    if (status < 300 || status >= 400) {
      const body = bytes.toString('utf8', 0, 4_096)
      return { outcome: 'refused', error: explainFailure({ ...fetched, body }, connection) }
    }
    url = URL.parse(location ?? '', url.href)
  }
  return { outcome: 'lost', why: fact('file_gone') }
}
