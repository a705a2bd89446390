import { WIDGET_MESSAGE_PREFIX } from '../channels/website/adapter.ts'
import type { ProviderEvent } from '../channels/inbound.ts'
import { ChannelGone, type OpenedChannel } from '../channels/load-channel.ts'
import type { Context } from '../../infra/context.ts'
import type { SendVisitorMessage } from '../../contract/visitor.ts'
import { fact } from '../../core/facts/fact.ts'
import { receivedMessageId } from '../messaging/receive-message.ts'
import { cleanText } from '../../rules/text/json-text.ts'
import { ServiceError, wrongFields, type FieldError } from '../../core/service-error.ts'
import { reserveUpload } from './uploads.ts'
import type { Site } from './site.ts'
import { findVisitor, findOrCreateVisitor } from './visitor.ts'

type ReportedMessage = Extract<ProviderEvent, { kind: 'message' }>

/**
 * A function that ingests a message on a website channel. It resolves to null or to the message's error, and rejects
 * while the database is unavailable.
 */
export type IngestMessage = (said: {
  channel: OpenedChannel
  event: ReportedMessage
}) => Promise<Error | null>

type Deps = Pick<Context, 'db' | 'ids' | 'clock'> & {
  ingest: IngestMessage
  /** Returns true if the sender's address may begin one more conversation. */
  mayBegin(): boolean
}

/**
 * Ingests a message that a visitor wrote in the chat widget. The first message stores the visitor and begins their
 * conversation. A page that got no answer sends a message again with the same id; it is stored once.
 * @throws invalid, rate_limited; not_found if the widget was just deleted
 * Spec: Channels › The website's chat.
 */
export async function sendVisitorMessage(
  context: Deps,
  site: Site,
  token: string,
  said: SendVisitorMessage,
): Promise<{ id: string }> {
  const { db } = context
  requireSomething(said)
  const known = await findVisitor(db.kysely, site, token)
  if (!known?.conversationId) {
    requireDetails(site, said)
    if (!context.mayBegin()) throw new ServiceError('rate_limited', fact('too_many_talks'))
  }
  const visitor = known ?? (await findOrCreateVisitor(context, site, token))
  const providerMessageId = `${WIDGET_MESSAGE_PREFIX}${visitor.id}:${said.clientMessageId}`
  const upload = said.uploadId
    ? await reserveUpload(context, { visitorId: visitor.id, fileId: said.uploadId })
    : null
  await ingestOnWebsite(context.ingest, site.channel, {
    kind: 'message',
    route: site.channel.route,
    providerMessageId,
    customer: {
      providerUserId: visitor.id,
      ...(said.name ? { profileName: said.name } : {}),
      ...(said.email ? { email: said.email } : {}),
    },
    type: upload?.kind ?? 'text',
    text: said.text ? cleanText(said.text) : null,
    ...(upload ? { media: { fileId: upload.id } } : {}),
    at: null,
  })
  return { id: receivedMessageId(site.channel.id, providerMessageId) }
}

/**
 * Ingests a message on a channel of a website (widget or form).
 * @throws not_found if the channel was deleted
 */
export async function ingestOnWebsite(
  ingest: IngestMessage,
  channel: OpenedChannel,
  said: ReportedMessage,
): Promise<void> {
  const fault = await ingest({ channel, event: said })
  if (fault instanceof ChannelGone) throw new ServiceError('not_found', fact('no_such_site'))
  if (fault) throw fault
}

function requireSomething({ text, uploadId }: SendVisitorMessage): void {
  if (text || uploadId) return
  throw wrongFields([{ field: 'text', ...fact('missing') }])
}

/** Throws unless the visitor gave the details that the merchant requires before the first message. */
function requireDetails({ formFields }: Site, said: SendVisitorMessage): void {
  const errors = (['name', 'email'] as const)
    .filter((field) => formFields[field] === 'required' && !said[field])
    .map((field): FieldError => ({ field, ...fact('missing') }))
  if (errors.length > 0) throw wrongFields(errors)
}
