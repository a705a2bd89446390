import type { Dispatcher } from 'undici'
import type { ProviderError, WhatsAppConnection } from '../channel-adapter.ts'
import { readProviderError } from './errors.ts'
import { exchange } from './exchange.ts'
import type { Exchange } from './exchange.ts'

/** WhatsApp refuses agents that are not of the form `name/x.y.z`. */
export const USER_AGENT = 'Wasla/0.1.0'

export type GraphClient = { dispatcher: Dispatcher; deadlineMs: number }

type GraphCall = {
  /** Segments after the version; each is escaped. */
  path: readonly string[]
  query?: Record<string, string>
  /** Posted as JSON; a GET without it. */
  body?: unknown
  signal?: AbortSignal | undefined
}

/** One call to the Graph API of a connection. Never throws; a bad base URL is `not_sent`. */
export async function callGraph(
  { dispatcher, deadlineMs }: GraphClient,
  connection: WhatsAppConnection,
  call: GraphCall,
): Promise<Exchange> {
  if (!URL.canParse(connection.baseUrl)) {
    return { outcome: 'not_sent', code: 'base_url_invalid' }
  }
  const base = new URL(connection.baseUrl)
  const segments = [connection.apiVersion, ...call.path].map(encodeURIComponent)
  const query = call.query ? `?${new URLSearchParams(call.query).toString()}` : ''
  const isPost = call.body !== undefined
  return exchange(
    dispatcher,
    {
      origin: base.origin,
      path: `${base.pathname.replace(/\/+$/, '')}/${segments.join('/')}${query}`,
      method: isPost ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${connection.accessToken}`,
        accept: 'application/json',
        'user-agent': USER_AGENT,
        ...(isPost ? { 'content-type': 'application/json' } : {}),
      },
      ...(isPost ? { body: JSON.stringify(call.body) } : {}),
    },
    { deadlineMs, signal: call.signal },
  )
}

/** What would only fail the same way again, before anything is written. */
const WRONG_SETTINGS = new Set(['base_url_invalid', 'UND_ERR_INVALID_ARG'])

/** Why an exchange did not succeed, in words that hold no access token. */
export function explainFailure(
  result: Exchange,
  { accessToken }: WhatsAppConnection,
): ProviderError {
  if (result.outcome === 'answered') {
    const error = readProviderError(result.status, result.body, result.retryAfter)
    return { ...error, message: withoutToken(error.message, accessToken) }
  }
  const isNotSent = result.outcome === 'not_sent'
  return {
    code: result.code,
    class: WRONG_SETTINGS.has(result.code) ? 'other' : 'transient',
    message: isNotSent
      ? `WhatsApp could not be reached (${result.code}); nothing was sent`
      : `WhatsApp gave no complete answer (${result.code})`,
  }
}

/** Graph repeats a token that it cannot read. */
function withoutToken(message: string, accessToken: string): string {
  return accessToken.length < 8 ? message : message.replaceAll(accessToken, '[access token]')
}
