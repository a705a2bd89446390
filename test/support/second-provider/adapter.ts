/**
 * The adapter of a made-up provider: another credentials form, another signature of its posts, another
 * protocol. All that the service knows of it is here and in the registry that a test provides.
 */
import { fact } from '../../../src/core/facts/fact.ts'
import { timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { ChannelAdapter, SendResult } from '../../../src/modules/channels/channel-adapter.ts'
import { ProviderRefused } from '../../../src/modules/channels/channel-adapter.ts'
import type { ProviderEvent, ProviderError } from '../../../src/modules/channels/inbound.ts'
import { isPlainName } from '../../../src/modules/channels/plain-name.ts'

type Credentials = { botToken: string; webhookSecret: string }

/** The body of its posts: one update of one bot. */
const Update = z.object({
  bot: z.string(),
  written: z
    .object({
      id: z.string(),
      chat: z.string(),
      by: z.string(),
      text: z.string(),
      at: z.number(),
      picture: z.string().optional(),
    })
    .optional(),
  seen: z.object({ id: z.string(), at: z.number() }).optional(),
})

const HEADER = 'x-second-provider-secret'

const other = (code: string): ProviderError => ({
  code,
  class: code === '401' ? 'auth' : 'other',
  message: 'it said no',
})

export function createSecondAdapter(baseUrl: string): ChannelAdapter<Credentials> {
  async function ask(method: string, { botToken }: Credentials, json: object): Promise<Response> {
    const body = JSON.stringify(json)
    return fetch(`${baseUrl}/${botToken}/${method}`, { method: 'POST', body })
  }
  function read(body: Uint8Array) {
    try {
      return Update.safeParse(JSON.parse(new TextDecoder().decode(body))).data
    } catch {
      return undefined
    }
  }

  return {
    type: 'telegram',
    form: {
      fields: z.strictObject({
        botToken: z.string().regex(/^[0-9]{1,20}:[a-z-]{8,64}$/),
        webhookSecret: z.string().min(8).optional(),
      }),
      secrets: { botToken: 'authenticates', webhookSecret: 'confirms' },
    },
    identify: ({ botToken = '' }) => ({
      route: botToken.split(':', 1)[0]!,
      account: null,
      displayNumber: null,
      settings: {},
      country: null,
    }),
    openFields: () => ({}),

    webhook: {
      mayBeGenuine: ({ [HEADER]: secret }) => typeof secret === 'string',
      *namesIn(body) {
        yield body.length
        const routes = [read(body)?.bot ?? ''].filter(isPlainName)
        return { routes, accounts: [], isCut: false, isTooComplex: false }
      },
      signerOf: ({ webhookSecret }) => webhookSecret,
      *isSignedBy({ headers }, secret) {
        yield 0
        const [given, wanted] = [Buffer.from(String(headers[HEADER])), Buffer.from(secret)]
        return given.length === wanted.length && timingSafeEqual(given, wanted)
      },
      parse(body): ProviderEvent[] {
        const { bot: route = '', written, seen } = read(body) ?? {}
        if (written) {
          const { id: providerMessageId, chat, by, text, at, picture } = written
          const customer = { providerUserId: chat, profileName: by }
          const message = { providerMessageId, customer, text, at: new Date(at) }
          if (picture === undefined) return [{ kind: 'message', route, type: 'text', ...message }]
          const media = { providerMediaId: picture }
          return [{ kind: 'message', route, type: 'image', media, ...message }]
        }
        if (!seen) return [{ kind: 'ignored', why: 'an update of no kind that is known' }]
        const at = new Date(seen.at)
        return [{ kind: 'receipt', route, providerMessageId: seen.id, status: 'read', at }]
      },
    },

    async send({ credentials }, to, message, { ourReference, file }): Promise<SendResult> {
      const chat = to.providerUserId
      const text = message.kind === 'text' ? message.text : ''
      // The adapter sends the bytes each time, and has no uploads to remember.
      const bytes = file && (await buffer(await file.read())).toString('base64')
      const answer = await ask('send', credentials, { chat, text, ourReference, file: bytes })
      if (!answer.ok) return { outcome: 'refused', error: other(String(answer.status)) }
      const { id } = (await answer.json()) as { id: string }
      return { outcome: 'accepted', providerMessageId: id }
    },
    async fetchMedia({ credentials }, { providerMediaId: id }, { maxBytes }) {
      const answer = await ask('picture', credentials, { id })
      if (!answer.ok) return { outcome: 'refused', error: other(String(answer.status)) }
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (bytes.length <= maxBytes) return { outcome: 'fetched', bytes }
      return { outcome: 'lost', why: fact('file_too_large', { max: maxBytes }) }
    },
    async listTemplates({ credentials }, after) {
      const answer = await ask('templates', credentials, { after })
      if (!answer.ok) throw new ProviderRefused(other(String(answer.status)))
      const { name, next } = (await answer.json()) as { name: string; next: string | null }
      const template = { providerTemplateId: name, name, language: 'en', components: [] }
      const kind = { category: 'UTILITY', status: 'APPROVED', parameterFormat: 'NAMED' } as const
      return { templates: [{ ...template, ...kind }], next }
    },
    async check({ credentials }) {
      const answer = await ask('me', credentials, {})
      return answer.ok
        ? { ok: true, label: await answer.text() }
        : { ok: false, error: other(String(answer.status)) }
    },
    explain: ({ message, code }) => fact('provider_refused', { said: message, providerCode: code }),
    close: () => Promise.resolve(),
  }
}
