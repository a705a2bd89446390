import type { Transaction } from 'kysely'
import type { Actor } from '../../accounts/actor.ts'
import { auditedTransaction } from '../../accounts/audited-transaction.ts'
import { whyNotStarted } from '../../../rules/messaging/may-send.ts'
import type { Context } from '../../../infra/context.ts'
import type { StartedRun, StartRun } from '../../../contract/dashboard/run.ts'
import { FlowDefinition } from '../../../contract/flow-definition.ts'
import type { DB } from '../../../infra/database/tables.ts'
import { raiseEvents } from '../../events/raise-event.ts'
import { fact } from '../../../core/facts/fact.ts'
import { PLAN_LIMITS } from '../../../core/limits/accounts.ts'
import { numberIdentifier, type Identifier } from '../../../rules/identity/identifier.ts'
import {
  customerLockKey,
  advisoryLockKey,
  takeAdvisoryLocks,
} from '../../messaging/lock-customer.ts'
import { lockIdentifierOnChannel } from '../../messaging/identifier-on-channel.ts'
import { lookUpCustomers } from '../../messaging/look-up-customers.sql.ts'
import { resolveCustomers } from '../../messaging/resolve-customers.ts'
import type { Customer } from '../../messaging/plan-customer-resolution.ts'
import { readTypedPhone } from '../../../rules/messaging/phone-reading.ts'
import { cleanText } from '../../../rules/text/json-text.ts'
import { ServiceError, wrongField } from '../../../core/service-error.ts'
import type { Plan } from '../../../core/vocabulary/accounts.ts'
import { loadRunningFlows } from '../design/load-running-flows.ts'
import type { OwnedFlow } from '../design/lock-flow.ts'
import { stepsBeforeTemplate } from '../design/flow-graph.ts'
import { isManual } from '../../../flow-kinds/triggers/manual.ts'
import { startRuns } from './start-runs.ts'

/**
 * Starts a run of a flow for one customer, on behalf of a member. Applies the checks of a hook in their order; in
 * addition, a customer outside the service window must get a template first. A key that has started a run of the flow
 * starts no other: the result is the run of that key. A test may start a flow with any trigger, and really sends.
 *
 * @throws not_found, not_in_plan, flow_off, flow_not_listening, channel_unavailable, invalid, opted_out,
 * outside_service_window
 * Spec: Flows › Starting by hand; Flows › Triggers; readings F27, F28.
 */
export async function startRunByHand(
  { db, ids, clock }: Context,
  actor: Actor,
  { isTest = false, ...owned }: OwnedFlow & { isTest?: boolean },
  input: StartRun,
): Promise<StartedRun> {
  return auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
    const flow = await loadStartable(tx, actor, owned, isTest)
    const key = input.key === undefined ? [] : [advisoryLockKey(`${flow.id}|key|${input.key}`)]
    const customer = await lockCustomerOf(tx, flow, input, { now, extraLocks: key })
    const earlier = await findRunOfKey(tx, flow.id, input.key)
    if (earlier) return { id: earlier, isNew: false }
    if (!flow.channel.isConnected) {
      throw new ServiceError('channel_unavailable', fact('start_channel_not_connected'))
    }
    if (!('identifiers' in customer)) throw customer

    const lookup = { companyId: owned.companyId, channelId: flow.channel.id, ...customer }
    const [known] = await lookUpCustomers(tx, [lookup])
    const { resolved, events } = await resolveCustomers(tx, { ids, now }, [customer])
    const { contact, conversation } = resolved[0]!
    const { unsent } = stepsBeforeTemplate(flow.definition)
    const refusal = whyNotStarted(
      {
        channel: { type: flow.channel.type, isConnected: true, why: null },
        plan: flow.plan,
        optedOutAt: known!.isOptedOut ? now : null,
        lastCustomerAt: conversation.lastCustomerAt,
      },
      { isOn: true, sendsTemplateFirst: unsent.length === 0 },
      now,
    )
    if (refusal) refuse(refusal, unsent)
    await raiseEvents(tx, { ids, now }, events)
    const [runId] = await startRuns(tx, { ids, now }, [
      {
        accountId: actor.accountId,
        companyId: owned.companyId,
        flowId: flow.id,
        flowVersionId: flow.versionId,
        channelId: flow.channel.id,
        conversationId: conversation.id,
        contactId: contact.id,
        triggerKind: 'manual',
        triggerMessageId: null,
        idempotencyKey: input.key ?? null,
        language: contact.language,
        variables: input.variables,
      },
    ])
    const run = { kind: 'run', id: runId!, companyId: owned.companyId }
    await audit('run.started', run, {
      flowId: flow.id,
      contactId: contact.id,
      ...(isTest && { isTest }),
    })
    return { id: runId!, isNew: true }
  })
}

/** Throws the refusal of the start rule, once flow and channel are known to be on. */
function refuse(
  { code, detail }: NonNullable<ReturnType<typeof whyNotStarted>>,
  [step]: readonly string[],
): void {
  if (code !== 'outside_service_window') {
    throw new ServiceError(code === 'too_long' ? 'invalid' : code, detail)
  }
  // A flow that neither sends nor waits needs no window.
  if (step !== undefined) throw new ServiceError(code, fact('start_window_closed', { step }))
}

type Startable = {
  id: string
  plan: Plan
  versionId: string
  definition: FlowDefinition
  company: Customer['company']
  channel: { id: string; type: string; isConnected: boolean }
}

/** Loads the flow if members may start it and it may start runs now. */
async function loadStartable(
  tx: Transaction<DB>,
  { accountId }: Actor,
  { companyId, flowId }: OwnedFlow,
  isTest: boolean,
): Promise<Startable> {
  const flow = await tx
    .selectFrom('flow')
    .innerJoin('company', 'company.id', 'flow.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .leftJoin('flowVersion', 'flowVersion.id', 'flow.publishedVersionId')
    .leftJoin('channel', 'channel.id', 'flowVersion.channelId')
    .select(['flow.id', 'flow.isOn', 'company.name as companyName', 'account.plan'])
    .select(['flowVersion.id as versionId', 'flowVersion.definition'])
    .select(['channel.id as channelId', 'channel.type', 'channel.isConnected'])
    .where('flow.id', '=', flowId)
    .where('flow.companyId', '=', companyId)
    .where('company.accountId', '=', accountId)
    .where('flow.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!flow) throw new ServiceError('not_found', fact('no_such_flow'))
  const plan = flow.plan as Plan
  if (!PLAN_LIMITS[plan].automations) {
    throw new ServiceError('not_in_plan', fact('automations_not_in_plan', { plan }))
  }
  const { versionId, channelId, type } = flow
  if (!flow.isOn || versionId === null || channelId === null || type === null) {
    throw new ServiceError('flow_off', fact('start_flow_off'))
  }
  const running = await loadRunningFlows(tx, companyId, plan)
  if (!running.has(flowId)) {
    const limit = PLAN_LIMITS[plan].flows
    throw new ServiceError('flow_off', fact('start_flow_beyond_plan', { plan, max: limit }))
  }
  const definition = FlowDefinition.parse(JSON.parse(flow.definition!))
  if (!isTest && !isManual(definition.trigger)) {
    const trigger = definition.trigger.kind
    throw new ServiceError('flow_not_listening', fact('start_flow_not_manual', { trigger }))
  }
  return {
    id: flow.id,
    plan,
    versionId,
    definition,
    company: { id: companyId, name: flow.companyName },
    channel: { id: channelId, type, isConnected: flow.isConnected! },
  }
}

/**
 * Locks the customer that the member names, together with the key. Returns a refusal when they cannot be written to.
 */
async function lockCustomerOf(
  tx: Transaction<DB>,
  { company, channel }: Startable,
  { contactId, phone, country }: StartRun,
  { now: at, extraLocks }: { now: Date; extraLocks: readonly bigint[] },
): Promise<Customer | ServiceError> {
  if (contactId !== undefined) {
    const lookup = { companyId: company.id, channelId: channel.id, contactId }
    const known = await lockIdentifierOnChannel(tx, lookup, extraLocks)
    return known.ok ? customerBy(known.identifier, null) : wrongField('contactId', known.why)
  }
  const read = readTypedPhone(phone ?? '', country ?? null)
  const number = read.ok && numberIdentifier(read.value.slice(1))
  await takeAdvisoryLocks(tx, [
    ...extraLocks,
    ...(number ? [customerLockKey(company.id, number)] : []),
  ])
  return read.ok && number
    ? customerBy(number, read.value)
    : wrongField('phone', fact('invalid_phone'))

  function customerBy(identifier: Identifier, phoneNumber: string | null): Customer {
    const reported = { name: null, phone: phoneNumber, whatsappId: null, language: null, tag: null }
    return {
      company,
      channel,
      identifiers: [identifier],
      reported: { ...reported, source: 'member' },
      learns: false,
      announces: 'none',
      at,
    }
  }
}

async function findRunOfKey(
  tx: Transaction<DB>,
  flowId: string,
  key: string | undefined,
): Promise<string | null> {
  if (key === undefined) return null
  const run = await tx
    .selectFrom('flowRun')
    .select('id')
    .where('flowId', '=', flowId)
    .where('idempotencyKey', '=', cleanText(key))
    .where('triggerKind', '<>', 'webhook')
    .executeTakeFirst()
  return run?.id ?? null
}
