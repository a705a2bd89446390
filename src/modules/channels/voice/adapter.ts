/** The adapter of calls: it receives reports of calls and sends nothing. */
import { z } from 'zod'
import { ruleCode } from '../../../schemas/broken-rule.ts'
import { fact } from '../../../core/facts/fact.ts'
import { CHANNEL_LIMITS, VOICE_LIMITS } from '../../../core/limits/messaging.ts'
import { VOICE_PROVIDERS, type VoiceProvider } from '../../../core/vocabulary/channels.ts'
import type { ChannelAdapter, CredentialsForm } from '../channel-adapter.ts'
import { readProviderJson } from '../provider/read-values.ts'
import { whyRefused } from '../why-refused.ts'
import { eventsOfCall } from './call-report.ts'
import type { ReportProvider } from './report-provider.ts'
import { RETELL } from './retell.ts'
import { SIGNED } from './signed-report.ts'
import { createTelnyxApi, isPublicKey, type TelnyxOptions } from './telnyx-api.ts'
import { TELNYX } from './telnyx.ts'
import { VAPI } from './vapi.ts'
import { uuidInput } from '../../../schemas/uuid-input.ts'
import type { VoiceCredentials } from './call-report.ts'

const PROVIDERS: Readonly<Record<VoiceProvider, ReportProvider>> = {
  retell: RETELL,
  vapi: VAPI,
  telnyx: TELNYX,
  signed: SIGNED,
}

/** The options of the adapter of voice channels. */
export type VoiceOptions = TelnyxOptions & {
  clock: { now(): Date }
  /** Generates the route of a channel, as providers have no name for it. */
  newReference(): string
}

const printable = (min: number, max: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]*$/, ruleCode('not_printable'))
    .min(min)
    .max(max)

const VOICE_FORM = {
  fields: z.strictObject({
    provider: z.enum(VOICE_PROVIDERS),
    reference: uuidInput.optional(),
    secret: printable(VOICE_LIMITS.minSecretChars, VOICE_LIMITS.secretChars),
    apiKey: printable(1, CHANNEL_LIMITS.accessTokenChars).optional(),
  }),
  /** The use of the secrets: reports are verified with the provider's key or with a shared secret. */
  secrets: { secret: 'verifies', apiKey: 'authenticates' },
} as const satisfies CredentialsForm

const providerOf = (settings: Readonly<Record<string, string>>) =>
  (VOICE_PROVIDERS as readonly string[]).includes(settings.provider ?? '')
    ? (settings.provider as VoiceProvider)
    : 'signed'

/** Creates the adapter of voice channels. */
export function createVoiceAdapter({
  clock,
  newReference,
  ...telnyxOptions
}: VoiceOptions): ChannelAdapter<VoiceCredentials> {
  const telnyx = createTelnyxApi(telnyxOptions)
  return {
    type: 'voice',
    form: VOICE_FORM,
    identify: ({ reference = newReference(), provider = 'signed' }) => ({
      route: reference,
      account: null,
      displayNumber: null,
      settings: { provider },
      country: null,
    }),
    openFields: ({ route, settings }) => ({ reference: route, provider: providerOf(settings) }),

    webhook: {
      mayBeGenuine: (headers) =>
        Object.values(PROVIDERS).some((provider) => provider.mayBeGenuine(headers)),
      // The secret decides the provider: with another provider's rules, a public key could verify forged reports.
      signerOf: ({ secret }, settings) => JSON.stringify([providerOf(settings), secret]),
      *isSignedBy(raw, signer) {
        yield raw.body.length
        const [name, secret] = JSON.parse(signer) as [VoiceProvider, string]
        const provider = PROVIDERS[name]
        return provider.mayBeGenuine(raw.headers) && provider.isSigned(raw, secret, clock.now())
      },
      parse(body, { channel }) {
        if (!channel) return []
        const { route, settings } = channel
        const report = PROVIDERS[providerOf(settings)].read(readProviderJson(body))
        if ('ignored' in report) return [{ kind: 'ignored', why: report.ignored }]
        if ('toRead' in report) return [{ kind: 'to_read', route, what: report.toRead }]
        return eventsOfCall(report.call, route)
      },
      async readMore(channel, what) {
        return eventsOfCall(await telnyx.readCall(channel, what), channel.route)
      },
    },

    send: () => {
      const why = fact('channel_sends_nothing')
      const error = { code: 'not_sendable', class: 'other', message: '', why } as const
      return Promise.resolve({ outcome: 'refused', error })
    },
    async check({ settings, credentials, isSimulated }) {
      const provider = providerOf(settings)
      if (provider !== 'telnyx') return { ok: true, label: provider }
      if (!isPublicKey(credentials.secret)) {
        const why = fact('telnyx_wrong_key')
        return { ok: false, error: { code: 'wrong_key', class: 'content', message: '', why } }
      }
      const error = await telnyx.check({ credentials, isSimulated })
      return error ? { ok: false, error } : { ok: true, label: provider }
    },
    explain: whyRefused,
    close: telnyx.close,
  }
}
