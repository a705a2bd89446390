import type { HookResponse } from '../contract/hook-response.ts'
import type { Ids } from '../ids.ts'
import { contactSummary } from '../messaging/contact.ts'
import type { EventToRaise } from '../webhooks/raise-event.ts'
import { checkCandidate, duplicate, type Candidate } from './answer-hook.ts'
import type { KnownRow } from './read-known.sql.ts'
import type { Accepted } from './write-accepted.sql.ts'

export type BatchPlan = {
  /** In the order of the candidates. */
  answers: HookResponse[]
  writes: Omit<Accepted, 'shapes'>
  events: EventToRaise[]
}

type Customer = { id: string; name: string | null; language: string | null }

/**
 * Decides a batch as if its requests came one after the other: an earlier one's key, contact and
 * conversation are there for the later ones. Pure but for the ids it makes.
 *
 * Spec: Hooks › What an accepted request makes; readings H15, H16.
 */
export function planBatch(
  { ids, now }: { ids: Ids; now: Date },
  candidates: readonly Candidate[],
  known: readonly KnownRow[],
): BatchPlan {
  const plan: BatchPlan = {
    answers: [],
    writes: { contacts: [], aliases: [], conversations: [], runs: [] },
    events: [],
  }
  const { contacts, aliases, conversations, runs } = plan.writes
  const runOfKey = new Map<string, string>()
  const customers = new Map<string, Customer>()
  const conversationOf = new Map<string, { id: string; filedUnder: string }>()

  function findCustomer({ hook, ...candidate }: Candidate, row: KnownRow): Customer {
    const number = candidate.phone.slice(1)
    const at = `${hook.company.id} ${number}`
    let customer = customers.get(at)
    if (customer) return customer
    if (row.contact_id) {
      customer = { id: row.contact_id, name: row.contact_name, language: row.contact_language }
    } else {
      customer = { id: ids.uuid(), name: candidate.name, language: candidate.language }
      contacts.push({ ...customer, companyId: hook.company.id, phone: candidate.phone })
      plan.events.push({
        type: 'contact.created',
        company: hook.company,
        occurredAt: now,
        contactId: customer.id,
        data: {
          contact: {
            id: customer.id,
            name: customer.name,
            phone: candidate.phone,
            whatsAppId: null,
            email: null,
            language: customer.language,
            tags: ['webhook'],
            fields: {},
            optedOut: false,
          },
        },
      })
    }
    if (!row.has_alias) aliases.push({ companyId: hook.company.id, number, contactId: customer.id })
    customers.set(at, customer)
    return customer
  }

  function findConversation({ hook, phone }: Candidate, row: KnownRow, customer: Customer) {
    const channelId = hook.channel!.id
    const at = `${channelId} ${phone}`
    let conversation = conversationOf.get(at)
    if (conversation) return conversation
    if (row.conversation_id) {
      conversation = { id: row.conversation_id, filedUnder: row.filed_under! }
    } else {
      conversation = { id: `c_${ids.uuid().replaceAll('-', '')}`, filedUnder: phone.slice(1) }
      const companyId = hook.company.id
      conversations.push({ ...conversation, companyId, channelId, contactId: customer.id })
      plan.events.push({
        type: 'conversation.started',
        company: hook.company,
        occurredAt: now,
        conversationId: conversation.id,
        contactId: customer.id,
        data: {
          conversation: { id: conversation.id, channelId, channelType: 'whatsapp' },
          contact: contactSummary(
            { id: customer.id, name: customer.name, phone },
            { channelType: 'whatsapp', filedUnder: conversation.filedUnder, visitorName: null },
          ),
        },
      })
    }
    conversationOf.set(at, conversation)
    return conversation
  }

  for (const [index, candidate] of candidates.entries()) {
    const row = known[index]!
    const { hook, idempotencyKey } = candidate
    const keyAt = idempotencyKey === null ? null : `${hook.flow.id} ${idempotencyKey}`
    const earlier = keyAt === null ? undefined : runOfKey.get(keyAt)
    const refusal = earlier
      ? duplicate(earlier)
      : checkCandidate(candidate, {
          runOfKey: row.run_of_key,
          isOptedOut: row.is_opted_out,
          accountTemplates: row.account_templates,
          customerTemplates: row.customer_templates,
        })
    if (refusal) {
      plan.answers.push(refusal)
      continue
    }
    const customer = findCustomer(candidate, row)
    const conversation = findConversation(candidate, row, customer)
    const runId = ids.uuid()
    runs.push({
      id: runId,
      companyId: hook.company.id,
      flowId: hook.flow.id,
      flowVersionId: hook.flow.publishedVersionId!,
      channelId: hook.channel!.id,
      conversationId: conversation.id,
      contactId: customer.id,
      idempotencyKey,
      language: candidate.language ?? customer.language,
      variables: candidate.variables,
    })
    if (keyAt !== null) runOfKey.set(keyAt, runId)
    plan.answers.push({ id: runId, status: 'accepted', detail: null })
  }
  return plan
}
