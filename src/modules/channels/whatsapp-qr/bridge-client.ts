/**
 * The way to the bridge that speaks WhatsApp's own protocol: a process of its own, on this machine or where
 * only we reach it. Plain HTTP with a shared secret.
 */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'
import { fact } from '../../../core/facts/fact.ts'
import { BRIDGE_LIMITS, PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { ProviderError } from '../inbound.ts'
import { exchangeOnce, type ProviderExchange } from '../provider/http-exchange.ts'
import { readFields, readJson, readText } from '../provider/read-values.ts'
import type { BridgeAddress } from '../base-urls.ts'

export type BridgeCall = {
  path: readonly string[]
  /** Posted as JSON; a GET without it and without `bytes`. */
  json?: unknown
  bytes?: { body: Readable; length: number; type: string }
  deadlineMs?: number
  answerBytes?: number
  signal?: AbortSignal
}

export type Bridge = { ask(address: BridgeAddress, call: BridgeCall): Promise<ProviderExchange> }

export function createBridge(given?: Dispatcher): Bridge & { close(): Promise<void> } {
  const dispatchers = new Map<string, Dispatcher>()

  function dispatcherOf(socketPath: string | null): Dispatcher {
    if (given) return given
    const known = dispatchers.get(socketPath ?? '')
    if (known) return known
    const connect = { timeout: PROVIDER_LIMITS.connectMs, ...(socketPath && { socketPath }) }
    const made = new Agent({ allowH2: false, pipelining: 1, connect })
    dispatchers.set(socketPath ?? '', made)
    return made
  }

  return {
    async ask({ url, secret }, { path, json, bytes, ...limits }) {
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

/** Which of our classes the bridge's words are; any other says nothing that is known. Spec: QR bridge › Refusals. */
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

/** The bridge's own word for why not; undefined where somebody else answered. */
export function refusalCode(asked: ProviderExchange): string | undefined {
  if (asked.outcome !== 'answered') return undefined
  return readText(readFields(readFields(readJson(asked.bytes)).error).code)
}

/** Why an exchange did not come to what it was for. */
export function whyNot(asked: ProviderExchange): ProviderError {
  if (asked.outcome !== 'answered') {
    const why = fact('qr_bridge_away', { fault: asked.code })
    return { code: asked.code, class: 'transient', message: '', why }
  }
  if (asked.status === 401) {
    const why = fact('qr_bridge_wrong_secret')
    return { code: 'http_401', class: 'transient', message: '', why }
  }
  const code = refusalCode(asked)
  const said = readText(readFields(readFields(readJson(asked.bytes)).error).message) ?? ''
  return {
    code: code ?? `http_${asked.status}`,
    class: CLASSES.get(code ?? '') ?? (asked.status >= 500 ? 'transient' : 'other'),
    message: said.slice(0, BRIDGE_LIMITS.saidChars).toWellFormed(),
    ...(/^\d{1,6}$/.test(asked.retryAfter ?? '') && {
      retryAfterMs: Number(asked.retryAfter) * 1_000,
    }),
  }
}
