import type { ChannelCheck } from '../channel-adapter.ts'
import { callGraph, explainFailure } from '../meta/call-graph.ts'
import { checkAppSecret } from '../meta/check-app-secret.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import type { WhatsAppConnection } from './connection.ts'
import { readFields, readJson, readText } from '../provider/read-values.ts'

/** Requests the number itself, which proves ids, token and permission; then checks the app secret. */
export async function checkConnection(
  client: ProviderClient,
  connection: WhatsAppConnection,
  appSecret: string,
): Promise<ChannelCheck> {
  const result = await callGraph(client, connection, {
    path: [connection.phoneNumberId],
    query: { fields: 'verified_name,display_phone_number' },
  })
  const fields = result.outcome === 'answered' ? readFields(readJson(result.body)) : {}
  const isNumber =
    result.outcome === 'answered' && result.status < 300 && readText(fields.id) !== undefined
  if (!isNumber) {
    return { ok: false, error: explainFailure(result, connection) }
  }
  const wrong = await checkAppSecret(client, connection, {
    path: connection.phoneNumberId,
    appSecret,
  })
  if (wrong) return { ok: false, error: wrong }
  const number = readText(fields.display_phone_number)
  const name = readText(fields.verified_name)
  const label = [name, number].filter((word) => word !== undefined).join(', ')
  return { ok: true, label: label === '' ? connection.phoneNumberId : label }
}
