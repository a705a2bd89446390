import { NAME_LIMITS } from '../../../core/limits/messaging.ts'
import type { FetchedProfile } from '../channel-adapter.ts'
import type { CustomerRef } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readJson, readText } from '../provider/read-values.ts'
import { callGraph, explainFailure } from './call-graph.ts'
import type { MessagingConnection } from './messaging-connection.ts'

/**
 * Loads a customer's name, which no webhook contains. The name is null when the provider does not disclose it or does
 * not know the customer.
 */
export async function fetchProfile(
  client: ProviderClient,
  connection: MessagingConnection,
  { providerUserId }: CustomerRef,
  fields: string,
): Promise<FetchedProfile> {
  if (providerUserId === undefined) return { outcome: 'fetched', name: null }
  const result = await callGraph(client, connection, {
    path: [providerUserId],
    query: { fields },
    deadlineMs: NAME_LIMITS.deadlineMs,
  })
  if (result.outcome !== 'answered' || result.status >= 300) {
    return { outcome: 'refused', error: explainFailure(result, connection) }
  }
  const answer = readFields(readJson(result.body))
  const parts = [answer.first_name, answer.last_name].flatMap((part) => readText(part) ?? [])
  const name = readText(answer.name) ?? readText(parts.join(' ')) ?? readText(answer.username)
  return { outcome: 'fetched', name: name?.trim() ?? null }
}
