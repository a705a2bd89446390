/**
 * The HTTP client of the bridge that implements WhatsApp's own protocol: a separate process on this machine or in a
 * private network, authenticated by a shared secret.
 */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { fact } from '../../../core/facts/fact.ts'
import { BRIDGE_LIMITS, PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { ProviderError } from '../inbound.ts'
import { exchangeOnce, type ProviderExchange } from '../provider/http-exchange.ts'
import { readFields, readProviderJson, readText } from '../provider/read-values.ts'
import type { BridgeAddress } from '../base-urls.ts'

/** A call to the bridge. */
export type BridgeCall = {
  path: readonly string[]
  /** The body, posted as JSON; without it and `bytes`, the call is a GET. */
  json?: unknown
  bytes?: { body: Readable; length: number; type: string }
  deadlineMs?: number
  answerBytes?: number
  signal?: AbortSignal
}

/** A client that makes one call to the bridge, once. */
export type BridgeClient = {
  call(address: BridgeAddress, call: BridgeCall): Promise<ProviderExchange>
}

/** Creates the HTTP client of the bridge for numbers linked by QR code. */
export function createBridgeClient(given?: Dispatcher): BridgeClient & { close(): Promise<void> } {
  const dispatchers = new Map<string, Dispatcher>()

  function dispatcherOf(socketPath: string | null): Dispatcher {
    if (given) return given
    const known = dispatchers.get(socketPath ?? '')
    if (known) return known
    const connect = { timeout: PROVIDER_LIMITS.connectMs, ...(socketPath && { socketPath }) }
    const agent = new Agent({ allowH2: false, pipelining: 1, connect })
    dispatchers.set(socketPath ?? '', agent)
    return agent
  }

  return {
    async call({ url, secret }, { path, json, bytes, ...limits }) {
      const socketPath = /^unix:(\/.+)$/.exec(url)?.[1] ?? null
      const base = URL.parse(socketPath === null ? url : 'http://bridge')
      if (!base) return { outcome: 'not_sent', code: 'base_url_invalid' }
      const body = bytes?.body ?? (json === undefined ? undefined : JSON.stringify(json))
      return exchangeOnce(
        dispatcherOf(socketPath),
        {
          origin: base.origin,
          path: `${base.pathname.replace(/\/+$/, '')}/v1/${path.map(encodeURIComponent).join('/')}`,
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            authorization: `Bearer ${secret}`,
            ...(json !== undefined && { 'content-type': 'application/json' }),
            ...(bytes && { 'content-type': bytes.type, 'content-length': String(bytes.length) }),
          },
          ...(body !== undefined && { body }),
        },
        { deadlineMs: PROVIDER_LIMITS.sendMs, answerBytes: BRIDGE_LIMITS.answerBytes, ...limits },
      )
    },
    async close() {
      await Promise.all([...dispatchers.values()].map((dispatcher) => dispatcher.close()))
    },
  }
}

/** Classes of the bridge's error codes; others are unknown. Spec: QR bridge › Refusals. */
const CLASSES = new Map<string, ProviderError['class']>([
  ['no_session', 'transient'],
  ['not_linked', 'transient'],
  ['not_connected', 'transient'],
  ['failed', 'transient'],
  ['rate', 'rate'],
  ['not_on_whatsapp', 'recipient'],
  ['banned', 'blocked'],
  ['bad_request', 'content'],
  ['too_large', 'content'],
])

/** Returns the bridge's error code; undefined when another server answered. */
export function refusalCode(response: ProviderExchange): string | undefined {
  if (response.outcome !== 'answered') return undefined
  return readText(readFields(readFields(readProviderJson(response.bytes)).error).code)
}

/** Returns the error of an exchange without success. */
export function bridgeError(response: ProviderExchange): ProviderError {
  if (response.outcome !== 'answered') {
    const why = fact('qr_bridge_away', { fault: response.code })
    return { code: response.code, class: 'transient', message: '', why }
  }
  if (response.status === 401) {
    const why = fact('qr_bridge_wrong_secret')
    return { code: 'http_401', class: 'transient', message: '', why }
  }
  const code = refusalCode(response)
  const said =
    readText(readFields(readFields(readProviderJson(response.bytes)).error).message) ?? ''
  return {
    code: code ?? `http_${response.status}`,
    class: CLASSES.get(code ?? '') ?? (response.status >= 500 ? 'transient' : 'other'),
    message: said.slice(0, BRIDGE_LIMITS.saidChars).toWellFormed(),
    ...(/^\d{1,6}$/.test(response.retryAfter ?? '') && {
      retryAfterMs: Number(response.retryAfter) * 1_000,
    }),
  }
}
