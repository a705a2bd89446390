import { fact, type Fact } from '../../../core/facts/fact.ts'
import type { PostsCheck } from '../channel-adapter.ts'
import { callGraph, explainFailure } from '../meta/call-graph.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readJson, readText, type Fields } from '../provider/read-values.ts'
import type { WhatsAppConnection } from './connection.ts'

/**
 * Checks which apps receive the webhooks of the business account. Without one, Meta posts nothing. An app may use
 * another address (`override_callback_uri`): if all do and none is this service's, nothing arrives.
 */
export async function checkSubscription(
  client: ProviderClient,
  connection: WhatsAppConnection,
  webhookUrl: string,
): Promise<PostsCheck> {
  const result = await callGraph(client, connection, {
    path: [connection.businessAccountId, 'subscribed_apps'],
  })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const { data } = isAnswer ? readFields(readJson(result.body)) : ({} as Fields)
  if (!Array.isArray(data)) {
    const { code, message } = explainFailure(result, connection)
    const said = { said: message, providerCode: code }
    return refused(code, fact('whatsapp_subscription_unknown', said))
  }
  if (data.length === 0) return refused('not_subscribed', fact('whatsapp_not_subscribed'))
  const overrides = data.map((app) => readText(readFields(app).override_callback_uri) ?? null)
  if (overrides.some((url) => url === null || url === webhookUrl)) return { ok: true }
  const origin = URL.parse(overrides[0]!)?.origin ?? '?'
  return refused('posts_elsewhere', fact('whatsapp_posts_elsewhere', { origin, url: webhookUrl }))
}

function refused(code: string, why: Fact): PostsCheck {
  return { ok: false, error: { code, class: 'other', message: '', why } }
}
