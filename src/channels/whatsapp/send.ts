import { Agent } from 'undici'
import type { Dispatcher } from 'undici'
import type {
  CustomerRef,
  Outbound,
  SendResult,
  TemplateInfo,
  WhatsAppConnection,
} from '../channel-adapter.ts'
import { PROVIDER_LIMITS } from '../../limits.ts'
import { buildMessage } from './build-message.ts'
import { callGraph, explainFailure } from './call-graph.ts'
import type { GraphClient } from './call-graph.ts'
import { checkConnection } from './check-connection.ts'
import type { ConnectionCheck } from './check-connection.ts'
import { readMetaError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import { listTemplates } from './list-templates.ts'
import { readBusinessScopedId } from './read-customer.ts'
import { given, readFields, readJson, readList, readNumber, readText } from './read-values.ts'

export type SendOptions = { ourReference: string; signal?: AbortSignal }

export type WhatsAppAdapter = {
  /** Sends once. Never throws and never sends again by itself. */
  send: (
    connection: WhatsAppConnection,
    to: CustomerRef,
    message: Outbound,
    options: SendOptions,
  ) => Promise<SendResult>
  /** Every template of the account. Throws `TemplatesNotListed`. */
  listTemplates: (connection: WhatsAppConnection) => Promise<TemplateInfo[]>
  check: (connection: WhatsAppConnection) => Promise<ConnectionCheck>
  /** Ends idle connections after the calls in flight; a given dispatcher stays open. */
  close: () => Promise<void>
}

/** The writing half of the WhatsApp channel; `sendMs` is how long one call may take. */
export function createWhatsAppAdapter(
  options: { dispatcher?: Dispatcher; sendMs?: number } = {},
): WhatsAppAdapter {
  const dispatcher = options.dispatcher ?? createAgent()
  const client: GraphClient = {
    dispatcher,
    deadlineMs: options.sendMs ?? PROVIDER_LIMITS.sendMs,
  }
  return {
    send: (connection, to, message, sendOptions) =>
      sendMessage(client, connection, to, message, sendOptions),
    listTemplates: (connection) => listTemplates(client, connection),
    check: (connection) => checkConnection(client, connection),
    close: async () => {
      if (options.dispatcher === undefined) {
        await dispatcher.close()
      }
    },
  }
}

function createAgent(): Agent {
  return new Agent({
    allowH2: false,
    connections: PROVIDER_LIMITS.connections,
    // One request on a connection at a time: a lost one is then the only one lost.
    pipelining: 1,
    connect: { timeout: PROVIDER_LIMITS.connectMs },
  })
}

async function sendMessage(
  client: GraphClient,
  connection: WhatsAppConnection,
  to: CustomerRef,
  message: Outbound,
  { ourReference, signal }: SendOptions,
): Promise<SendResult> {
  const body = buildMessage(to, message, ourReference)
  if (body === null) {
    const why = 'The customer has neither a number nor a WhatsApp id'
    return { outcome: 'refused', error: { code: 'no_address', class: 'recipient', message: why } }
  }
  const path = [connection.phoneNumberId, 'messages']
  const result = await callGraph(client, connection, { path, body, signal })
  return readSendResult(result, connection)
}

/**
 * Refused only when WhatsApp said no, or when nothing was written at all. A 5xx that is not
 * WhatsApp's own words may come from a machine in between, after the message went through.
 */
function readSendResult(result: Exchange, connection: WhatsAppConnection): SendResult {
  if (result.outcome === 'lost') {
    return { outcome: 'unknown' }
  }
  if (result.outcome === 'answered') {
    const { status, body } = result
    if (status >= 200 && status < 300) {
      return readAccepted(body)
    }
    if (status >= 500 && readMetaError(body) === null) {
      return { outcome: 'unknown' }
    }
  }
  return { outcome: 'refused', error: explainFailure(result, connection) }
}

/** WhatsApp names the customer's real number here, which may differ from the one dialled. */
function readAccepted(body: string): SendResult {
  const answer = readFields(readJson(body))
  const providerMessageId = readText(readFields(readList(answer.messages)[0]).id)
  if (providerMessageId === undefined) {
    return { outcome: 'unknown' }
  }
  const contact = readFields(readList(answer.contacts)[0])
  const customer = given<CustomerRef>({
    number: readNumber(contact.wa_id),
    businessScopedId: readBusinessScopedId(contact.user_id),
  })
  return Object.keys(customer).length === 0
    ? { outcome: 'accepted', providerMessageId }
    : { outcome: 'accepted', providerMessageId, customer }
}
