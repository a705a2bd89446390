import { beginOfLog } from '../deliveries/within-log.ts'
import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import type { Context } from '../../infra/context.ts'
import type {
  HomeView,
  AllowanceForecast,
  SetUpSteps,
  TodayView,
  Attention,
} from '../../contract/dashboard/home.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { Allowance } from '../../contract/dashboard/usage.ts'
import { loadRunningFlows } from '../flows/design/load-running-flows.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { HOME_LIMITS } from '../../core/limits/overview.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import { flowState } from '../../rules/flows/flow-state.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { HookStatus } from '../../core/vocabulary/hooks.ts'
import type { FlowState } from '../../core/vocabulary/flows.ts'
import type { HandoverReason } from '../../core/vocabulary/inbox.ts'
import {
  countWaiting,
  readFirstChannel,
  readFirstEndpoint,
  readFirstFlow,
  readFlowStateFacts,
  readHookUrlsByLastUse,
  readLatestDelivered,
  readRunHours,
  readTemplateCount,
  readWaiting,
  type FlowFound,
  type HookUrlWithLastRequest,
  usesDeveloperFeatures,
  readEndpointHealths,
  readTroubledChannels,
  type TroubledChannel,
  type EndpointHealthFound,
} from './read-home.sql.ts'
import type { Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import { readConnectionCallDays, readAutomatedTemplateDays } from './read-usage.sql.ts'
import { findFailingCalls } from '../connections/failing-calls.sql.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { endpointState } from '../../rules/deliveries/endpoint-state.ts'

/**
 * Returns the configured parts that do not work, for the first page. These are parts that the plan no longer
 * includes, channels that are not connected (unless a member disconnected them), endpoints that fail or were switched
 * off for it, and connections and actions whose calls all fail. Without the plan nothing is delivered or called, so
 * none of that can fail.
 */
async function showAttention(
  { db, formatFact }: Pick<Context, 'db'> & { formatFact: FormatFact },
  { companyId, plan, now }: { companyId: string; plan: Plan; now: Date },
): Promise<Attention[]> {
  const of = { companyId }
  const isInPlan = PLAN_LIMITS[plan].developer
  const isPlanShort = !isInPlan && (await usesDeveloperFeatures(db.kysely, of))
  const channels = await readTroubledChannels(db.kysely, of)
  const endpoints = await readEndpointHealths(db.kysely, of)
  return [
    ...(isPlanShort ? [{ kind: 'plan', plan } as const] : []),
    ...channels.flatMap((channel) => viewChannel(formatFact, channel)),
    ...endpoints.flatMap((endpoint) => viewEndpoint(isInPlan, endpoint)),
    ...(isInPlan ? await findFailingCalls(db.kysely, { companyId, now }) : []),
  ]
}

function viewChannel(
  formatFact: FormatFact,
  { disconnectedReason, problem, ...channel }: TroubledChannel,
): Attention[] {
  const stored = channel.isConnected ? problem : disconnectedReason
  const reason = stored === null ? null : parseFact(stored)
  if (reason?.code === 'channel_off_by_member') return []
  const type = channel.type as ChannelType
  return [{ kind: 'channel', ...channel, type, reason: reason && formatFact(reason) }]
}

function viewEndpoint(
  isInPlan: boolean,
  { id, name, failingSince, offAt, ...endpoint }: EndpointHealthFound,
): Attention[] {
  const state = endpointState({ isInPlan, ...endpoint })
  if (state !== 'failing' && state !== 'off_failures' && state !== 'off_gone') return []
  const since = (state === 'failing' ? failingSince : offAt)?.toISOString() ?? null
  return [{ kind: 'endpoint', id, name, state, since }]
}

/** Reads how much of its daily allowances an account has used. */
async function readAllowances(
  db: Kysely<DB>,
  of: { accountId: string; companyId: string },
  now: Date,
): Promise<{ automatedTemplates: Allowance; calls: Allowance }> {
  const begins = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const resetsAt = new Date(begins + DAY_MS).toISOString()
  const today = new Date(begins).toISOString().slice(0, 10)
  const account = await db
    .selectFrom('account')
    .select(['plan', 'templatesPerDay'])
    .where('id', '=', of.accountId)
    .executeTakeFirstOrThrow()
  const plan = account.plan as Plan
  const usedOf = (days: readonly { day: string; used: number }[]) =>
    days.find(({ day }) => day === today)?.used ?? 0
  return {
    automatedTemplates: {
      used: usedOf(await readAutomatedTemplateDays(db, of, today)),
      limit: account.templatesPerDay ?? PLAN_LIMITS[plan].templatesPerDay,
      resetsAt,
    },
    calls: {
      used: usedOf(await readConnectionCallDays(db, of, today)),
      limit: CALL_LIMITS.perAccountPerDay,
      resetsAt,
    },
  }
}

type Deps = Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact }

/**
 * Returns a company's first page: the state of the set-up, failing parts, waiting customers, and today's figures. An
 * Agent sees only the waiting customers. Spec: Concepts › Roles.
 */
export async function showHome(
  { db, clock, formatFact }: Deps,
  { accountId, role }: Pick<Actor, 'accountId' | 'role'>,
  { companyId }: { companyId: string },
): Promise<HomeView> {
  const now = clock.now()
  const of = { accountId, companyId }
  const company = await db.kysely
    .selectFrom('company')
    .select('name')
    .where('id', '=', companyId)
    .executeTakeFirstOrThrow()
  const maySetUp = role !== 'agent'
  const plan = await loadPlan(db.kysely, accountId)
  const items = await readWaiting(db.kysely, of)
  const max = INBOX_LIMITS.maxCounted
  const waiting = await countWaiting(db.kysely, of, max + 1)
  return {
    at: now.toISOString(),
    companyName: company.name,
    setUp: maySetUp ? await showSetUp({ db }, { companyId, plan, now }) : null,
    attention: maySetUp ? await showAttention({ db, formatFact }, { companyId, plan, now }) : null,
    needsPerson: {
      items: items.map(({ waitingSince, reason, ...customer }) => ({
        ...customer,
        reason: reason as HandoverReason | null,
        waitingSince: waitingSince?.toISOString() ?? null,
      })),
      total: { count: Math.min(waiting, max), isMore: waiting > max },
    },
    today: maySetUp ? await showToday({ db }, of, now) : null,
  }
}

async function showSetUp(
  { db: { kysely } }: Pick<Context, 'db'>,
  { plan, now, ...of }: { companyId: string; plan: Plan; now: Date },
): Promise<SetUpSteps> {
  const channel = await readFirstChannel(kysely, of)
  const templates = await readTemplateCount(kysely, of)
  const flow = await readFirstFlow(kysely, of)
  const hookUrls = await readHookUrlsByLastUse(kysely, of)
  const delivery = await readLatestDelivered(kysely, of, beginOfLog(now))
  const firstHook = hookUrls[0]
  const flowIds = [flow?.id, firstHook?.flowId].filter((id) => id !== undefined)
  const running = await loadRunningFlows(kysely, of.companyId, plan)
  const stateFacts = await readFlowStateFacts(kysely, of, flowIds)
  const states = new Map(
    stateFacts.map((flowFacts) => [
      flowFacts.id,
      flowState({ ...flowFacts, isWithinPlan: running.has(flowFacts.id), plan: PLAN_LIMITS[plan] }),
    ]),
  )
  return {
    channel: channel && {
      ...channel,
      type: channel.type as ChannelType,
      connectedAt: channel.connectedAt.toISOString(),
    },
    templates: templates && { ...templates, readAt: templates.readAt.toISOString() },
    flow: flow && viewFlow(flow, states.get(flow.id)!),
    ...viewHooks(firstHook, states),
    endpoint: await readFirstEndpoint(kysely, of),
    delivery: delivery && { ...delivery, deliveredAt: delivery.deliveredAt.toISOString() },
  }
}

function viewFlow({ definition, ...flow }: FlowFound, state: FlowState): SetUpSteps['flow'] {
  const { steps } = JSON.parse(definition) as { steps?: object }
  return { ...flow, state, steps: Object.keys(steps ?? {}).length }
}

function viewHooks(
  first: HookUrlWithLastRequest | undefined,
  states: ReadonlyMap<string, FlowState>,
): Pick<SetUpSteps, 'hookUrl' | 'hookRequest'> {
  if (first === undefined) return { hookUrl: null, hookRequest: null }
  const { id, flowId, flowName, answerStatus, receivedAt } = first
  return {
    hookUrl: { id, flowId, flowName, flowState: states.get(flowId)! },
    hookRequest: receivedAt && {
      flowId,
      flowName,
      answerStatus: answerStatus as HookStatus | null,
      receivedAt: receivedAt.toISOString(),
    },
  }
}

async function showToday(
  { db }: Pick<Context, 'db'>,
  of: { accountId: string; companyId: string },
  now: Date,
): Promise<TodayView> {
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const since = new Date(hour - (HOME_LIMITS.runHours - 1) * HOUR_MS)
  const hours = await readRunHours(db.kysely, of, since)
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
  const runs = sum(hours.map((each) => each.runs))
  const { automatedTemplates, calls } = await readAllowances(db.kysely, of, now)
  return {
    runs: {
      since: since.toISOString(),
      total: {
        count: Math.min(runs, HOME_LIMITS.runsCounted),
        isMore: runs > HOME_LIMITS.runsCounted,
      },
      failed: sum(hours.map((each) => each.failed)),
      hours: hours.map((each) => ({ ...each, hour: each.hour.toISOString() })),
    },
    automatedTemplates: paceOf(automatedTemplates, now),
    calls: paceOf(calls, now),
  }
}

/** Returns an allowance with the time at which it is used up at today's rate; null when it lasts the day. */
function paceOf(allowance: Allowance, now: Date): AllowanceForecast {
  const { used, limit, resetsAt } = allowance
  const ends = Date.parse(resetsAt)
  const passed = now.getTime() - (ends - DAY_MS)
  if (used === 0 || used >= limit || passed < HOME_LIMITS.paceAfterMinutes * MINUTE_MS) {
    return { ...allowance, endsAt: null }
  }
  const at = ends - DAY_MS + passed * (limit / used)
  return { ...allowance, endsAt: at < ends ? new Date(at).toISOString() : null }
}
