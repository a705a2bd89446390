import type { ChannelCheck } from '../channel-adapter.ts'
import type { ProviderClient } from '../provider/provider-client.ts'
import { readFields, readId, readJson, readText, type Fields } from '../provider/read-values.ts'
import { callGraph, explainFailure } from './call-graph.ts'
import { checkAppSecret } from './check-app-secret.ts'
import { OF_ANOTHER } from './messaging-errors.ts'
import type { MessagingConnection } from './messaging-connection.ts'

/**
 * Checks that a token belongs to the page or account that the form names; another's token would send in another name.
 * `idsIn` finds the ids in the response.
 */
export async function checkSender(
  client: ProviderClient,
  connection: MessagingConnection,
  {
    id,
    path,
    fields,
    idsIn,
    appSecret,
  }: {
    id: string
    path: string
    fields: string
    idsIn(answer: Fields): unknown[]
    /** Tried as well; null where the provider takes no proof of it. */
    appSecret: string | null
  },
): Promise<ChannelCheck> {
  const result = await callGraph(client, connection, { path: [path], query: { fields } })
  const isAnswer = result.outcome === 'answered' && result.status < 300
  const answer = isAnswer ? readFields(readJson(result.body)) : {}
  const ids = idsIn(answer).flatMap((one) => readId(one) ?? [])
  if (ids.length === 0) return { ok: false, error: explainFailure(result, connection) }
  if (!ids.includes(id)) {
    return { ok: false, error: { code: OF_ANOTHER, class: 'auth', message: '' } }
  }
  const wrong = appSecret && (await checkAppSecret(client, connection, { path, appSecret }))
  if (wrong) return { ok: false, error: wrong }
  const username = readText(answer.username)
  const label = readText(answer.name) ?? (username === undefined ? undefined : `@${username}`)
  return { ok: true, label: label ?? id }
}
