import { findFailingCalls } from '../connections/failing-calls.sql.ts'
import type { Context } from '../../infra/context.ts'
import type { Attention } from '../../contract/dashboard/home.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { endpointState } from '../../rules/deliveries/endpoint-state.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import {
  usesDeveloperFeatures,
  readEndpointHealths,
  readTroubledChannels,
  type ChannelStanding,
  type EndpointHealthFound,
} from './read-home.sql.ts'

/**
 * Returns the configured parts that do not work, for the first page. These are parts that the plan no longer
 * includes, channels that are not connected (unless a member disconnected them), endpoints that fail or were switched
 * off for it, and connections and actions whose calls all fail. Without the plan nothing is delivered or called, so
 * none of that can fail.
 */
export async function showAttention(
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
  { disconnectedReason, problem, ...channel }: ChannelStanding,
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
