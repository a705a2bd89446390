/**
 * A stand-in for the servers of WhatsApp, Messenger, Instagram and Telegram. It accepts every send and remembers its
 * recipient. It knows no customers, so that a case may name any.
 */
import type { IncomingMessage } from 'node:http'
import { serveLocally } from '../support/local-server.ts'
import { ORDER_READY_COMPONENTS } from '../support/shop.ts'
import type { Ids } from './identity-case.ts'
import { lineOf } from './identity-line.ts'

/** An accepted message: its id at the provider, and the identifier that it was sent to. */
type Taken = { providerMessageId: string; to: string }

type Body = Record<string, unknown>
type Answer = { number: string | null; ids: Ids }

/** The start of an access token of a page or an Instagram account. The rest is its id. */
export const PAGE_TOKEN = 'page-'

/** A bot's messages are numbered from here on, above those of customers. */
const SENT_FROM = 1_000_000

export async function startProvider() {
  const taken: Taken[] = []
  const webhooks = new Map<string, string>()
  let answers: Answer[] = []

  function take(to: string): string {
    const providerMessageId = `taken.${taken.length + 1}`
    taken.push({ providerMessageId, to })
    return providerMessageId
  }

  function sendByNumber({ to, recipient }: Body): Body {
    const digits = typeof to === 'string' ? to.replace(/^\+/, '') : null
    const input = digits ?? String(recipient)
    const id = take(digits === null ? `user:${input}` : `number:${digits}`)
    const wanted =
      answers.length === 1
        ? answers[0]
        : answers.find(
            ({ number }) => number !== null && digits !== null && lineOf(number) === lineOf(digits),
          )
    const usual: Ids = digits === null ? { user: input } : { number: digits }
    const { number, user, parent } = wanted?.ids ?? usual
    const ids = { wa_id: number, user_id: user, parent_user_id: parent }
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input, ...ids }],
      messages: [{ id }],
    }
  }

  function onGraph(method: string, path: string, token: string, body: Body): Body {
    const [, id = '', edge = ''] = path.split('/').filter((part) => part !== '')
    if (method === 'GET' && edge === 'message_templates') return { data: templates() }
    if (method === 'GET' && token.startsWith(PAGE_TOKEN)) {
      // The profile of a customer has no name.
      const own = token.slice(PAGE_TOKEN.length)
      return id === 'me' ? { id: own, user_id: own, name: 'Shop' } : {}
    }
    if (method === 'GET') return { id, verified_name: 'Shop', display_phone_number: '15550783881' }
    if (edge !== 'messages' || body.status !== undefined) return { success: true }
    if (body.messaging_product === 'whatsapp') return sendByNumber(body)
    const recipient = String((body.recipient as Body | undefined)?.id)
    return { recipient_id: recipient, message_id: take(`id:${recipient}`) }
  }

  function onBotApi(path: string, body: Body): Body {
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    const chat = String(body.chat_id)
    const results: Record<string, () => unknown> = {
      getMe: () => {
        const id = Number(token.split(':')[0])
        return { id, is_bot: true, first_name: 'Shop', username: `shop_${id}_bot` }
      },
      setWebhook: () => webhooks.set(token, String(body.url)).has(token),
      getWebhookInfo: () => ({ url: webhooks.get(token) ?? '', pending_update_count: 0 }),
      sendMessage: () => {
        const messageId = SENT_FROM + taken.length
        taken.push({ providerMessageId: `${chat}:${messageId}`, to: `id:${chat}` })
        return { message_id: messageId, date: 1, chat: { id: Number(chat), type: 'private' } }
      },
    }
    return { ok: true, result: results[method]?.() ?? true }
  }

  function answer(request: IncomingMessage, bytes: Buffer): Body {
    const { pathname } = new URL(request.url ?? '/', 'http://provider')
    const body = request.method === 'POST' ? (JSON.parse(bytes.toString('utf8')) as Body) : {}
    if (pathname.startsWith('/bot')) return onBotApi(pathname, body)
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    return onGraph(request.method ?? 'GET', pathname, token, body)
  }

  const { url, close } = await serveLocally((request, response, bytes) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(request, bytes)))
  })
  return {
    url,
    taken,
    /**
     * Names these ids in the answer to a send, until `answerAsUsual`. If several such answers wait, each is for the
     * send to its `number`.
     */
    answerWith: (number: string | null, ids: Ids) => void answers.push({ number, ids }),
    answerAsUsual() {
      answers = []
    },
    close,
  }
}

export type Provider = Awaited<ReturnType<typeof startProvider>>

/** The templates of every business account, as the Graph API lists them. */
const templates = () =>
  ['ar', 'en'].map((language, at) => ({
    id: String(at + 1),
    name: 'order_ready',
    language,
    status: 'APPROVED',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: ORDER_READY_COMPONENTS,
  }))
