import type { ProviderError } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { callGraph, explainFailure, type GraphConnection } from './call-graph.ts'

/** An app secret that is of another app than the access token. */
export const APP_SECRET_WRONG = 'app_secret_wrong'

/**
 * Asks for an object that the access token may read, with proof of the app secret. Returns null when Meta takes the proof,
 * else why not. Webhooks are trusted by this secret, so a member must not make one up.
 */
export async function checkAppSecret(
  client: ProviderClient,
  connection: GraphConnection,
  { path, appSecret }: { path: string; appSecret: string },
): Promise<ProviderError | null> {
  const result = await callGraph(client, connection, {
    path: [path],
    query: { fields: 'id' },
    appSecret,
  })
  if (result.outcome === 'answered' && result.status < 300) return null
  const error = explainFailure(result, connection)
  // Meta has no code of its own for it: "Invalid appsecret_proof provided in the API argument".
  const isRefused = error.code === '100' && /appsecret_proof/i.test(error.message)
  return isRefused ? { code: APP_SECRET_WRONG, class: 'auth', message: '' } : error
}
