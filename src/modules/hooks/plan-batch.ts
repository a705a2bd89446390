import { numberIdentifier } from '../../rules/identity/identifier.ts'
import type { HookResponse } from '../../contract/hook-response.ts'
import type { EventToRaise } from '../events/raise-event.ts'
import type { NewRun } from '../flows/runs/start-runs.ts'
import type { Ids } from '../../core/ids.ts'
import { planCustomerResolution } from '../messaging/plan-customer-resolution.ts'
import { checkAdmittedRequest, duplicate, type AdmittedRequest } from './check-request.ts'
import type { KnownRow } from './load-existing.sql.ts'
import type { Accepted } from './write-accepted.sql.ts'

export type BatchPlan = {
  /** In the order of the candidates. */
  answers: HookResponse[]
  writes: Omit<Accepted, 'shapes'>
  events: EventToRaise[]
}

/**
 * Decides a batch as if its requests came one after the other: an earlier one's key, contact and
 * conversation are there for the later ones. A request changes no contact that there is. Pure but for the
 * ids it makes.
 *
 * Spec: Hooks › What an accepted request makes; readings H15, H16.
 */
export function planBatch(
  { ids, now }: { ids: Ids; now: Date },
  candidates: readonly AdmittedRequest[],
  known: readonly KnownRow[],
): BatchPlan {
  const answers: HookResponse[] = []
  const runs: NewRun[] = []
  const runOfKey = new Map<string, string>()
  const meetings = planCustomerResolution({ ids, now })

  for (const [index, candidate] of candidates.entries()) {
    const row = known[index]!
    const { hook, idempotencyKey } = candidate
    const keyAt = idempotencyKey === null ? null : `${hook.flow.id} ${idempotencyKey}`
    const earlier = keyAt === null ? undefined : runOfKey.get(keyAt)
    const refusal = earlier ? duplicate(earlier) : checkAdmittedRequest(candidate, row)
    if (refusal) {
      answers.push(refusal)
      continue
    }
    const place = meetings.meet(customerOf(candidate, now), row)
    const run: NewRun = {
      id: ids.uuid(),
      accountId: hook.accountId,
      companyId: hook.company.id,
      flowId: hook.flow.id,
      flowVersionId: hook.flow.publishedVersionId!,
      channelId: hook.channel!.id,
      conversationId: place.conversationId,
      contactId: place.contactId,
      triggerKind: 'webhook',
      triggerMessageId: null,
      idempotencyKey,
      language: candidate.language ?? place.language,
      variables: candidate.variables,
    }
    runs.push(run)
    if (keyAt !== null) runOfKey.set(keyAt, run.id)
    answers.push({ id: run.id, status: 'accepted', detail: null })
  }
  return {
    answers,
    writes: { met: meetings.writes, runs },
    events: [...meetings.created, ...meetings.started],
  }
}

function customerOf({ hook, phone, name, language }: AdmittedRequest, now: Date) {
  return {
    company: hook.company,
    channel: hook.channel!,
    identifiers: [numberIdentifier(phone.slice(1))],
    told: { name, phone, whatsappId: null, language, tag: 'webhook', source: 'hook' },
    learns: false,
    announces: 'new',
    at: now,
  } as const
}
