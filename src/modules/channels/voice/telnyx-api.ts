/** Telnyx' API, from which transcripts are loaded with the merchant's key. */
import { Agent, type Dispatcher } from 'undici'
import { fact } from '../../../core/facts/fact.ts'
import { PROVIDER_LIMITS, VOICE_LIMITS } from '../../../core/limits/messaging.ts'
import { SECOND_MS } from '../../../core/limits/units.ts'
import { baseUrlOf, type BaseUrlsOf } from '../base-urls.ts'
import { ProviderRefused } from '../channel-adapter.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type { ProviderError } from '../inbound.ts'
import { exchangeOnce } from '../provider/http-exchange.ts'
import { readProviderJson } from '../provider/read-values.ts'
import type { CallReport } from './call-report.ts'
import { readTelnyxCall, readTelnyxPage } from './telnyx.ts'
import type { VoiceCredentials } from './call-report.ts'

/** The options of the API client. */
export type TelnyxOptions = {
  dispatcher?: Dispatcher
  baseUrls: BaseUrlsOf<'telnyx'>
}

type Of = Pick<ChannelAccess<VoiceCredentials>, 'credentials' | 'isSimulated'>

const KEY_BYTES = 32

/** Returns whether a text is the public key of a Telnyx account, in Base64. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === KEY_BYTES
}

/** Creates the client of Telnyx' API. */
export function createTelnyxApi({ baseUrls, dispatcher: given }: TelnyxOptions) {
  const dispatcher = given ?? new Agent({ connect: { timeout: PROVIDER_LIMITS.connectMs } })

  /** Sends a GET request. @throws ProviderRefused */
  async function get({ credentials, ...channel }: Of, path: string): Promise<unknown> {
    const base = new URL(baseUrlOf(baseUrls, 'telnyx', channel))
    const answer = await exchangeOnce(
      dispatcher,
      {
        origin: base.origin,
        path: `${base.pathname.replace(/\/+$/, '')}/v2/${path}`,
        method: 'GET',
        headers: {
          authorization: `Bearer ${credentials.apiKey ?? ''}`,
          accept: 'application/json',
        },
      },
      { deadlineMs: PROVIDER_LIMITS.sendMs },
    )
    if (answer.outcome !== 'answered') {
      const why = fact('provider_not_reached', { fault: answer.code })
      throw new ProviderRefused({ code: answer.code, class: 'transient', message: '', why })
    }
    if (answer.status >= 300) throw new ProviderRefused(refusalOf(answer))
    return readProviderJson(answer.bytes)
  }

  return {
    /** Checks the key. Returns null when it is accepted. */
    async check(channel: Of): Promise<ProviderError | null> {
      try {
        await get(channel, 'ai/conversations?page[size]=1')
        return null
      } catch (error) {
        if (error instanceof ProviderRefused) return error.error
        throw error
      }
    },
    /** Loads the transcript of a call. @throws ProviderRefused */
    async readCall(channel: Of, what: Readonly<Record<string, string>>): Promise<CallReport> {
      const of = `ai/conversations/${encodeURIComponent(what.conversationId ?? '')}`
      const conversation = await get(channel, of)
      const messages: unknown[] = []
      for (let number = 1, pages = 1; number <= Math.min(pages, VOICE_LIMITS.pages); number += 1) {
        const size = `page[size]=${VOICE_LIMITS.messagesPerPage}`
        const page = readTelnyxPage(
          await get(channel, `${of}/messages?page[number]=${number}&${size}`),
        )
        messages.push(...page.messages)
        pages = page.pages
      }
      return readTelnyxCall(what, conversation, messages)
    },
    close: async () => {
      if (given === undefined) await dispatcher.close()
    },
  }
}

function refusalOf({ status, retryAfter }: { status: number; retryAfter?: string | undefined }) {
  const isWrongKey = status === 401 || status === 403
  const error: ProviderError = {
    code: `http_${status}`,
    class: isWrongKey ? 'auth' : status === 429 ? 'rate' : status >= 500 ? 'transient' : 'other',
    message: '',
    ...(isWrongKey && { why: fact('telnyx_wrong_api_key') }),
  }
  return /^\d{1,6}$/.test(retryAfter ?? '')
    ? { ...error, retryAfterMs: Number(retryAfter) * SECOND_MS }
    : error
}
