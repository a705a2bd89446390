import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../accounts/key-ring.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import { tokenHash } from '../accounts/token-hash.ts'
import type { ChannelView, ConnectedChannel, EditChannel } from '../contract/dashboard/channel.ts'
import { transaction } from '../database/transaction.ts'
import { countryOfNumber } from '../rules/country-of-number.ts'
import { ServiceError, type FieldError } from '../service-error.ts'
import { claimingRoute, type ChannelDeps } from './connect-channel.ts'
import type { ChannelCredentials } from './load-channel.ts'
import {
  loadOwnedChannel,
  lockChannel,
  readCredentials,
  writeCredentials,
  type ChannelRow,
} from './load-owned-channel.ts'
import { connectionOf } from './provider-connection.ts'
import { requireCredentials } from './require-credentials.ts'
import { viewChannel } from './view-channel.ts'

type Edited = { channel: ChannelView } | ConnectedChannel

/**
 * Changes what is named of a channel. Another number is another door: its credentials are asked for
 * again, so that nobody who may only edit sends with a token that they never knew. Whatever the
 * provider can vouch for is tried first, and then connects the channel again.
 *
 * @throws not_found, invalid, conflict, provider_failed; stale when it was changed meanwhile.
 */
export async function editChannel(
  context: ChannelDeps,
  actor: Actor,
  { companyId, channelId, ...input }: EditChannel & { companyId: string; channelId: string },
): Promise<Edited> {
  const { db, ids, clock, keyRing, providers } = context
  const before = await loadOwnedChannel(db.kysely, { companyId, channelId })
  requireAskedAgain(before, input)
  const credentials = credentialsAfter(keyRing, before, input)
  const route = input.phoneNumberId ?? before.providerRoute
  const providerAccount = input.businessAccountId ?? before.providerAccount
  const isTried =
    route !== before.providerRoute ||
    providerAccount !== before.providerAccount ||
    input.accessToken !== undefined
  if (isTried) {
    await requireCredentials(
      providers.whatsApp,
      connectionOf(providers, {
        isSimulated: before.isSimulated,
        route,
        providerAccount,
        credentials,
      }),
    )
  }
  const now = clock.now()
  const row = await claimingRoute(() =>
    transaction(db, async (tx) => {
      const current = await lockChannel(tx, { companyId, channelId })
      if (current.updatedAt.getTime() !== before.updatedAt.getTime()) {
        throw new ServiceError('stale', 'The channel was changed meanwhile. Look at it again.')
      }
      const changed = await tx
        .updateTable('channel')
        .set({
          name: input.name ?? before.name,
          providerRoute: route,
          providerAccount,
          displayNumber: input.displayNumber ?? before.displayNumber,
          country: countryAfter(before, input),
          takeOverHours: input.takeOverHours ?? before.takeOverHours,
          credentials: writeCredentials(keyRing, before, credentials),
          verifyTokenHash: tokenHash(credentials.verifyToken),
          ...(isTried ? { isConnected: true, disconnectedReason: null, templatesDueAt: now } : {}),
          updatedAt: now,
        })
        .where('id', '=', channelId)
        .where('companyId', '=', companyId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action: 'channel.edited',
          subjectKind: 'channel',
          subjectId: channelId,
          companyId,
          detail: { fields: Object.keys(input) },
        },
      )
      return changed
    }),
  )
  const channel = viewChannel(context, row)
  return input.verifyToken === undefined ? { channel } : { channel, verifyToken: input.verifyToken }
}

function requireAskedAgain(before: ChannelRow, input: EditChannel): void {
  if (input.phoneNumberId === undefined || input.phoneNumberId === before.providerRoute) return
  const errors = (['accessToken', 'appSecret'] as const)
    .filter((field) => input[field] === undefined)
    .map((field): FieldError => ({
      field,
      code: 'missing',
      message: 'is needed again for another phone number id',
    }))
  if (errors.length > 0) {
    throw new ServiceError('invalid', 'Another number needs its credentials.', { errors })
  }
}

/** Where all are given, those before are not looked at: they may be what nobody can read any more. */
function credentialsAfter(
  keyRing: KeyRing,
  before: ChannelRow,
  { accessToken, appSecret, verifyToken }: EditChannel,
): ChannelCredentials {
  if (accessToken !== undefined && appSecret !== undefined && verifyToken !== undefined) {
    return { accessToken, appSecret, verifyToken }
  }
  return {
    ...readCredentials(keyRing, before),
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(appSecret === undefined ? {} : { appSecret }),
    ...(verifyToken === undefined ? {} : { verifyToken }),
  }
}

/** A new number without a country brings its own; where its digits do not tell, the old one stays. */
function countryAfter(before: ChannelRow, input: EditChannel): string | null {
  if (input.country !== undefined) return input.country
  const read = input.displayNumber === undefined ? null : countryOfNumber(input.displayNumber)
  return read ?? before.country
}
