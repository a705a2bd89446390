import { TYPING_LIMITS, NAME_LIMITS, PROVIDER_LIMITS } from '../../../core/limits/messaging.ts'
import type { ChannelAccess } from '../channel-access.ts'
import type {
  ChannelAdapter,
  FetchedProfile,
  ChannelCheck,
  FetchedMedia,
} from '../channel-adapter.ts'
import {
  createProviderClient,
  type ProviderClientOptions,
  type ProviderClient,
} from '../provider/provider-client.ts'
import type { MetaCredentials } from './form-fields.ts'
import type { MessagingConnection } from './messaging-connection.ts'
import { sendMessaging } from './send-messaging.ts'
import type { TypingTarget } from '../typing-indicator.ts'
import { callGraph, explainFailure, USER_AGENT } from './call-graph.ts'
import type { CustomerRef, MediaRef } from '../inbound.ts'
import {
  readFields,
  readProviderJson,
  readText,
  readId,
  type Fields,
} from '../provider/read-values.ts'
import { checkAppSecret } from './check-app-secret.ts'
import { TOKEN_OF_ANOTHER } from './messaging-errors.ts'
import { fact } from '../../../core/facts/fact.ts'
import { FILE_ENGINE } from '../../../core/limits/files.ts'
import { ANSWER_TOO_LARGE, exchangeOnce } from '../provider/http-exchange.ts'
import { isFileHost } from './file-hosts.ts'

/** Statuses of deleted files and expired addresses. */
const GONE = new Set([400, 403, 404, 410])

/**
 * Downloads a customer's attachment from the address in the webhook, from Meta's hosts only. The address expires and
 * is signed itself, so the access token is not sent.
 */
async function fetchAttachment(
  client: ProviderClient,
  connection: MessagingConnection,
  media: MediaRef,
  { maxBytes }: { maxBytes: number },
): Promise<FetchedMedia> {
  let url = URL.parse(media.url ?? '')
  for (let hop = 0; url && hop <= PROVIDER_LIMITS.fileHops; hop += 1) {
    if (!isFileHost(url, connection)) break
    const fetched = await exchangeOnce(
      client.dispatcher,
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { accept: '*/*', 'user-agent': USER_AGENT },
      },
      { deadlineMs: FILE_ENGINE.fetchMs, answerBytes: maxBytes },
    )
    if (fetched.outcome === 'lost' && fetched.code === ANSWER_TOO_LARGE) {
      return { outcome: 'lost', why: fact('file_too_large', { max: maxBytes }) }
    }
    if (fetched.outcome !== 'answered') {
      return { outcome: 'refused', error: explainFailure(fetched, connection) }
    }
    const { status, bytes, location } = fetched
    if (status === 200) return { outcome: 'fetched', bytes }
    if (GONE.has(status)) break
    if (status < 300 || status >= 400) {
      const body = bytes.toString('utf8', 0, 4_096)
      return { outcome: 'refused', error: explainFailure({ ...fetched, body }, connection) }
    }
    url = URL.parse(location ?? '', url.href)
  }
  return { outcome: 'lost', why: fact('file_gone') }
}

/**
 * Checks that a token belongs to the page or account that the form names; another's token would send in another name.
 * `idsIn` finds the ids in the response.
 */
async function checkSender(
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
  const answer = isAnswer ? readFields(readProviderJson(result.body)) : {}
  const ids = idsIn(answer).flatMap((one) => readId(one) ?? [])
  if (ids.length === 0) return { ok: false, error: explainFailure(result, connection) }
  if (!ids.includes(id)) {
    return { ok: false, error: { code: TOKEN_OF_ANOTHER, class: 'auth', message: '' } }
  }
  const wrong = appSecret && (await checkAppSecret(client, connection, { path, appSecret }))
  if (wrong) return { ok: false, error: wrong }
  const username = readText(answer.username)
  const label = readText(answer.name) ?? (username === undefined ? undefined : `@${username}`)
  return { ok: true, label: label ?? id }
}

/**
 * Loads a customer's name, which no webhook contains. The name is null when the provider does not disclose it or does
 * not know the customer.
 */
async function fetchProfile(
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
  const answer = readFields(readProviderJson(result.body))
  const parts = [answer.first_name, answer.last_name].flatMap((part) => readText(part) ?? [])
  const name = readText(answer.name) ?? readText(parts.join(' ')) ?? readText(answer.username)
  return { outcome: 'fetched', name: name?.trim() ?? null }
}

/**
 * Shows the typing indicator of Messenger or Instagram for a while, or until a message is sent. Does not mark the
 * message as read.
 */
async function showMessagingTyping(
  client: ProviderClient,
  connection: MessagingConnection,
  { customer, signal }: TypingTarget,
): Promise<void> {
  await callGraph(client, connection, {
    path: [connection.sender, 'messages'],
    body: { recipient: { id: customer.providerUserId }, sender_action: 'typing_on' },
    deadlineMs: TYPING_LIMITS.answerMs,
    signal,
  })
}

type Channel = ChannelAccess<MetaCredentials>

type About = {
  /** @throws provider_failed when the channel is simulated and the simulator is not running. */
  connectionOf(channel: Channel): MessagingConnection
  /** The profile fields to request. */
  profileFields: string
  /** Returns how to check who the credentials belong to. */
  senderOf(channel: Channel): Parameters<typeof checkSender>[2]
}

/** Returns the provider calls of an adapter for Messenger or Instagram, which share Meta's messaging API. */
export function createMessagingCalls(
  options: ProviderClientOptions,
  { connectionOf, profileFields, senderOf }: About,
) {
  const client = createProviderClient(options)
  // Typing indicators have separate connections, so that they never delay a send.
  const typingClient = createProviderClient({
    ...options,
    connections: TYPING_LIMITS.maxConcurrent,
  })
  return {
    send: async (channel, to, message, about) =>
      sendMessaging(client, connectionOf(channel), to, message, about),
    typing: {
      everyMs: TYPING_LIMITS.messagingEveryMs,
      show: async (channel, to) => showMessagingTyping(typingClient, connectionOf(channel), to),
    },
    fetchMedia: async (channel, media, limits) =>
      fetchAttachment(client, connectionOf(channel), media, limits),
    fetchProfile: async (channel, customer) =>
      fetchProfile(client, connectionOf(channel), customer, profileFields),
    checksSigner: true,
    check: async (channel) => checkSender(client, connectionOf(channel), senderOf(channel)),
    async close() {
      await Promise.all([client.close(), typingClient.close()])
    },
  } satisfies Partial<ChannelAdapter<MetaCredentials>>
}
