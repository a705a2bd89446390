import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KeyRing } from '../accounts/key-ring.ts'
import { loadChannels } from '../channels/load-channel.ts'
import { answerHandshake } from '../channels/whatsapp/handshake.ts'
import type { Context } from '../context.ts'
import { isDatabaseAway } from '../database/database-away.ts'
import { receiveWhatsAppWebhook } from '../inbound/receive-provider-webhook.ts'
import { PROVIDER_LIMITS } from '../limits.ts'
import { readBody } from './read-body.ts'

/**
 * Where WhatsApp posts: 200 once everything is stored, 401 for a signature that is not the
 * provider's, 503 while the database is away (the provider delivers again, for up to 7 days).
 */
export function createWhatsAppWebhookHost(
  context: Context & { keyRing: KeyRing },
  onTakenIn: () => void,
) {
  return async function hostWebhook(request: IncomingMessage, response: ServerResponse) {
    try {
      if (request.method === 'GET') return await handshake(request, response)
      if (request.method !== 'POST') return end(response, 405, { allow: 'GET, POST' })
      const body = await readBody(request, PROVIDER_LIMITS.webhookBytes)
      if (body === 'too_large') return end(response, 413, { connection: 'close' })
      const signature = request.headers['x-hub-signature-256']
      const taken = await receiveWhatsAppWebhook(
        context,
        body,
        typeof signature === 'string' ? signature : undefined,
      )
      onTakenIn()
      if (taken.ok) return end(response, 200)
      if (taken.reason === 'not_signed') {
        context.log.warn('a WhatsApp webhook without a valid signature was refused')
        return end(response, 401)
      }
      return end(response, 500)
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.error({ err: error }, 'a WhatsApp webhook failed')
      end(response, 503)
    }
  }

  /** `hub.challenge`: the provider checks that this address is ours. */
  async function handshake(request: IncomingMessage, response: ServerResponse) {
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    const channels = await loadChannels(context.db.kysely, context.keyRing, { type: 'whatsapp' })
    const answer = answerHandshake(query, (token) =>
      channels.some((channel) => channel.credentials.verifyToken === token),
    )
    end(response, answer.status, {}, answer.status === 200 ? answer.body : undefined)
  }
}

function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body?: string,
): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
  response.end(body)
}
