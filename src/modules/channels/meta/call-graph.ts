import { createHmac } from 'node:crypto'
import { createRedactor } from '../../../infra/redaction/redactor.ts'
import type { ProviderError } from '../inbound.ts'
import { exchangeError } from '../provider/exchange-error.ts'
import { exchangeOnce, type ProviderExchange } from '../provider/http-exchange.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { encodeBody, type MultipartForm } from '../provider/request-body.ts'
import { readRefusal, type ClassifyCode } from './read-graph-error.ts'

/** The user agent of requests to Meta, which refuses agents that are not of the form `name/x.y.z`. */
export const USER_AGENT = 'Wasla/0.1.0'

/** The address and credentials of a channel at the Graph API. */
export type GraphConnection = {
  /** Origin of the Graph API, e.g. `https://graph.facebook.com`; the simulator's on loopback. */
  baseUrl: string
  /** e.g. `v25.0`. */
  apiVersion: string
  accessToken: string
  /** The classification of the product's error codes. */
  classifyCode: ClassifyCode
}

/** An exchange with its response as text. */
export type GraphExchange =
  | Exclude<ProviderExchange, { outcome: 'answered' }>
  | (Omit<Extract<ProviderExchange, { outcome: 'answered' }>, 'bytes'> & { body: string })

type GraphCall = {
  /** Path segments after the version; each is escaped. */
  path: readonly string[]
  query?: Record<string, string>
  /** Proves that the caller has the app's secret: Meta refuses the call when it is not of the token's app. */
  appSecret?: string
  /** Posted as JSON; a GET without it and without a form. */
  body?: unknown
  form?: MultipartForm
  deadlineMs?: number
  answerBytes?: number
  signal?: AbortSignal | undefined
}

/** Makes one call to the Graph API. Never throws; an invalid base URL is `not_sent`. */
export async function callGraph(
  { dispatcher, deadlineMs }: ProviderClient,
  connection: GraphConnection,
  call: GraphCall,
): Promise<GraphExchange> {
  if (!URL.canParse(connection.baseUrl)) {
    return { outcome: 'not_sent', code: 'base_url_invalid' }
  }
  const base = new URL(connection.baseUrl)
  const segments = [connection.apiVersion, ...call.path].map(encodeURIComponent)
  const request = { ...call.query, ...proofOf(connection, call) }
  const query = Object.keys(request).length > 0 ? `?${new URLSearchParams(request).toString()}` : ''
  const posted = encodeBody(call)
  const exchange = await exchangeOnce(
    dispatcher,
    {
      origin: base.origin,
      path: `${base.pathname.replace(/\/+$/, '')}/${segments.join('/')}${query}`,
      method: posted ? 'POST' : 'GET',
      headers: { ...headersOf(connection), ...posted?.headers },
      ...(posted ? { body: posted.body } : {}),
    },
    {
      deadlineMs: call.deadlineMs ?? deadlineMs,
      answerBytes: call.answerBytes,
      signal: call.signal,
    },
  )
  if (exchange.outcome !== 'answered') return exchange
  const { bytes, ...answer } = exchange
  return { ...answer, body: bytes.toString('utf8') }
}

/** Returns the parameter `appsecret_proof`, as Meta describes it under "Secure Graph API Calls". */
function proofOf({ accessToken }: GraphConnection, { appSecret }: GraphCall) {
  if (appSecret === undefined) return {}
  return { appsecret_proof: createHmac('sha256', appSecret).update(accessToken).digest('hex') }
}

/** Returns the headers of every request of a connection. */
export function headersOf({ accessToken }: GraphConnection): Record<string, string> {
  return {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json',
    'user-agent': USER_AGENT,
  }
}

/** Returns why an exchange failed, without the access token. */
export function explainFailure(
  result: GraphExchange,
  { accessToken, classifyCode }: GraphConnection,
): ProviderError {
  if (result.outcome === 'answered') {
    const error = readRefusal(result, classifyCode)
    // Graph repeats an unreadable token in its error.
    return { ...error, message: createRedactor([accessToken]).text(error.message) }
  }
  return exchangeError(result.outcome, result.code)
}
