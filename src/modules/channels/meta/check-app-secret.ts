import type { ProviderError } from '../inbound.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { callGraph, explainFailure, type GraphConnection } from './call-graph.ts'

/** The code for an app secret of another app than the access token's. */
export const APP_SECRET_WRONG = 'app_secret_wrong'

/**
 * Requests an object that the access token may read, with proof of the app secret. Returns null when Meta accepts the
 * proof, otherwise the error. Webhooks are trusted by this secret, so a member must not invent one.
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
  // Meta has no separate code for it: "Invalid appsecret_proof provided in the API argument".
  if (error.code === '100' && /appsecret_proof/i.test(error.message)) {
    return { code: APP_SECRET_WRONG, class: 'auth', message: '' }
  }
  // The token and the object were accepted before, so any other refusal says nothing about the secret.
  return error.class === 'transient' || error.class === 'rate' ? error : null
}
