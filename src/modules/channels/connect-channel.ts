import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { ConnectChannel, ConnectedChannel } from '../../contract/dashboard/channel.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { fact } from '../../core/facts/fact.ts'
import { SITE_LIMITS } from '../../core/limits/visitors.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import type { FormValues } from './channel-access.ts'
import { beginPolling } from './poll-queue.sql.ts'
import { credentialColumns } from './load-owned-channel.ts'
import { requireAdapter, type ChannelAdapters } from './registry.ts'
import { requireCredentials, secretFieldsFor } from './require-credentials.ts'
import { viewChannel } from './view-channel.ts'

/** The length of a generated webhook secret, in bytes. */
export const SECRET_BYTES = 24

/** The dependencies of use cases on channels. */
export type ChannelDeps = Context & {
  keyRing: KeyRing
  adapters: ChannelAdapters
  formatFact: FormatFact
  publicUrl(): string
}

/**
 * Connects a channel with the credentials of its provider, once the provider accepts them. Its credentials are checked
 * before anything is stored, and are stored encrypted. A route is connected at most once in the whole service.
 * `credentials` are parsed by the form of the type's adapter.
 * @throws conflict when it is connected already, invalid and provider_failed as the provider answers.
 * Spec: Concepts › Channel; Concepts › Channel capabilities.
 */
export async function connectChannel(
  context: ChannelDeps,
  actor: Actor,
  input: Omit<ConnectChannel, 'credentials'> & { companyId: string; credentials: FormValues },
): Promise<ConnectedChannel> {
  const { db, ids, clock, keyRing } = context
  const { companyId, type, name } = input
  const adapter = requireAdapter(context.adapters, type)
  if (adapter.isUnofficial && input.acceptsRisk !== true) throw riskNotAccepted()
  const { country: impliedCountry, ...named } = adapter.identify(input.credentials)
  // A channel without a provider gets a random route.
  const identity = { ...named, route: named.route || ids.cellToken(SITE_LIMITS.keyBytes) }
  const country = input.country ?? impliedCountry
  if (country === null && capabilitiesOf(type).startsConversations) throw countryMissing()
  await requireFree(context, type, identity.route)
  const shownOnce = Object.fromEntries(
    secretFieldsFor(adapter.form, 'confirms').map((field) => [
      field,
      input.credentials[field] ?? ids.token(SECRET_BYTES),
    ]),
  )
  const credentials = { ...pickSecrets(adapter, input.credentials), ...shownOnce }
  const isSimulated = adapter.usesSimulator?.() ?? false
  await requireCredentials(adapter, { ...identity, isSimulated, credentials })
  const id = ids.uuid()
  const channel = await refuseTakenRoute(() =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const row = await tx
        .insertInto('channel')
        .values({
          id,
          companyId,
          type,
          name,
          providerRoute: identity.route,
          providerAccount: identity.account,
          displayNumber: identity.displayNumber,
          settings: JSON.stringify(identity.settings),
          country,
          ...credentialColumns(keyRing, adapter, { id, companyId }, credentials),
          isConnected: true,
          isSimulated,
          templatesDueAt: adapter.listTemplates ? now : null,
          ...(adapter.isUnofficial && { riskAcceptedAt: now, riskAcceptedBy: actor.personId }),
          createdAt: now,
          updatedAt: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      if (adapter.poll) await beginPolling(tx, id, now)
      await audit(
        'channel.connected',
        { id, companyId },
        {
          name,
          type,
          route: identity.route,
          country,
          ...(adapter.isUnofficial && { acceptsRisk: true }),
        },
      )
      return row
    }),
  )
  return { channel: viewChannel(context, channel), shownOnce }
}

/** Returns the values of a form's secret fields, which are encrypted only when they are stored. */
export function pickSecrets({ form }: ChannelAdapter, values: FormValues): FormValues {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field in form.secrets))
}

function riskNotAccepted(): ServiceError {
  const reason = fact('risk_not_accepted')
  return new ServiceError('invalid', reason, { errors: [{ field: 'acceptsRisk', ...reason }] })
}

function countryMissing(): ServiceError {
  return new ServiceError('invalid', fact('channel_country_unknown'), {
    errors: [{ field: 'country', ...fact('country_needed') }],
  })
}

/** Checks that the route is free before the provider is called; the unique index decides. Never reveals who has it. */
async function requireFree(
  { db }: Pick<Context, 'db'>,
  type: ChannelType,
  route: string,
): Promise<void> {
  const taken = await db.kysely
    .selectFrom('channel')
    .select('id')
    .where('type', '=', type)
    .where('providerRoute', '=', route)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (taken) throw routeTaken()
}

/**
 * Runs work that stores a channel's id at the provider (its route), and refuses a route that another channel has.
 * @throws conflict
 */
export async function refuseTakenRoute<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error, 'channel_route') ? routeTaken() : error
  }
}

function routeTaken(): ServiceError {
  return new ServiceError('conflict', fact('channel_connected_already'), {
    errors: [{ field: 'credentials', ...fact('channel_taken') }],
  })
}
