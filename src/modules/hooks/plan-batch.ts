import { numberIdentifier } from '../../rules/identity/identifier.ts'
import type { HookResponse } from '../../contract/hook-response.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { NewRun } from '../flows/runs/start-runs.ts'
import type { Ids } from '../../core/ids.ts'
import { planCustomerResolution } from '../messaging/plan-customer-resolution.ts'
import { checkAdmittedRequest, duplicateResponse, type AdmittedRequest } from './check-request.ts'
import type { KnownRow } from './load-existing.sql.ts'
import type { Accepted } from './write-accepted.sql.ts'

/** The responses to a batch with the rows and events that it creates. */
export type BatchPlan = {
  /** The responses, in the order of the candidates. */
  answers: HookResponse[]
  writes: Omit<Accepted, 'shapes'>
  events: EventToRaise[]
}

/**
 * Decides a batch as if its requests had arrived one after the other: later ones see the key, contact and
 * conversation of earlier ones. Never changes an existing contact. Pure, except for the ids it makes.
 *
 * Spec: Hooks › Effects of an accepted request; readings H15, H16.
 */
export function planBatch(
  { ids, now }: { ids: Ids; now: Date },
  candidates: readonly AdmittedRequest[],
  known: readonly KnownRow[],
): BatchPlan {
  const answers: HookResponse[] = []
  const runs: NewRun[] = []
  const runOfKey = new Map<string, string>()
  const resolution = planCustomerResolution({ ids, now })

  for (const [index, candidate] of candidates.entries()) {
    const row = known[index]!
    const { hook, idempotencyKey } = candidate
    const scopedKey = idempotencyKey === null ? null : `${hook.flow.id} ${idempotencyKey}`
    const earlier = scopedKey === null ? undefined : runOfKey.get(scopedKey)
    const refusal = earlier ? duplicateResponse(earlier) : checkAdmittedRequest(candidate, row)
    if (refusal) {
      answers.push(refusal)
      continue
    }
    const customer = resolution.resolve(customerOf(candidate, now), row)
    const run: NewRun = {
      id: ids.uuid(),
      accountId: hook.accountId,
      companyId: hook.company.id,
      flowId: hook.flow.id,
      flowVersionId: hook.flow.publishedVersionId!,
      channelId: hook.channel!.id,
      conversationId: customer.conversationId,
      contactId: customer.contactId,
      triggerKind: 'webhook',
      triggerMessageId: null,
      idempotencyKey,
      language: candidate.language ?? customer.language,
      variables: candidate.variables,
    }
    runs.push(run)
    if (scopedKey !== null) runOfKey.set(scopedKey, run.id)
    answers.push({ id: run.id, status: 'accepted', detail: null })
  }
  return {
    answers,
    writes: { resolved: resolution.writes, runs },
    events: [...resolution.created, ...resolution.started],
  }
}

function customerOf({ hook, phone, name, language }: AdmittedRequest, now: Date) {
  return {
    company: hook.company,
    channel: hook.channel!,
    identifiers: [numberIdentifier(phone.slice(1))],
    reported: { name, phone, whatsappId: null, language, tag: 'webhook', source: 'hook' },
    learns: false,
    announces: 'new',
    at: now,
  } as const
}
