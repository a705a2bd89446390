import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { ConnectedChannel, EditChannel } from '../../contract/dashboard/channel.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError, type FieldError } from '../../core/service-error.ts'
import type { ChannelAdapter } from './channel-adapter.ts'
import type { ChannelIdentity, FormValues } from './channel-access.ts'
import { deleteChannelState } from './channel-state.ts'
import { beginPolling } from './poll-queue.sql.ts'
import { refuseTakenRoute, SECRET_BYTES, pickSecrets, type ChannelDeps } from './connect-channel.ts'
import {
  loadOwnedChannel,
  lockChannel,
  tryReadCredentials,
  credentialColumns,
  type ChannelRow,
} from './load-owned-channel.ts'
import { adapterOf } from './registry.ts'
import { requireCredentials, secretFieldsFor } from './require-credentials.ts'
import { identityOf, viewChannel } from './view-channel.ts'

type Edit = Omit<EditChannel, 'credentials'> & { credentials: FormValues }

/**
 * Changes the given fields of a channel, and returns it with new secrets that are shown once. A new route is another
 * account, so its credentials must be entered again: otherwise a member could send with a token that they never knew.
 * It is refused where state is valid for one route only. New credentials are checked first, and reconnect the channel.
 *
 * @throws not_found, invalid, conflict, provider_failed; stale when it was changed meanwhile.
 */
export async function editChannel(
  context: ChannelDeps,
  actor: Actor,
  { companyId, channelId, ...input }: Edit & { companyId: string; channelId: string },
): Promise<ConnectedChannel> {
  const { db, ids, clock, keyRing } = context
  const before = await loadOwnedChannel(db.kysely, { companyId, channelId })
  const adapter = adapterOf(context.adapters, before.type)
  const { credentials, made, areReplaced } = credentialsAfter(
    context,
    adapter,
    before,
    input.credentials,
  )
  const { country: impliedCountry, ...identity } = identityAfter(adapter, before, {
    ...credentials,
    ...input.credentials,
  })
  requireReentered(adapter, { before, identity }, input.credentials)
  const shown = identityOf(before).settings
  const isTried =
    identity.route !== before.providerRoute ||
    identity.account !== before.providerAccount ||
    (adapter.recipientFields ?? []).some((field) => identity.settings[field] !== shown[field]) ||
    secretFieldsFor(adapter.form, 'authenticates').some(
      (field) => input.credentials[field] !== undefined,
    )
  const isSignerTried =
    adapter.checksSigner === true &&
    secretFieldsFor(adapter.form, 'verifies').some(
      (field) => input.credentials[field] !== undefined,
    )
  if (isTried || isSignerTried) {
    const { isSimulated } = before
    await requireCredentials(adapter, { ...identity, isSimulated, credentials })
  }
  const row = await refuseTakenRoute(() =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const current = await lockChannel(tx, { companyId, channelId })
      if (current.updatedAt.getTime() !== before.updatedAt.getTime()) {
        throw new ServiceError('stale', fact('channel_changed'))
      }
      const changed = await tx
        .updateTable('channel')
        .set({
          name: input.name ?? before.name,
          providerRoute: identity.route,
          providerAccount: identity.account,
          displayNumber: identity.displayNumber,
          settings: JSON.stringify(identity.settings),
          country: input.country ?? impliedCountry ?? before.country,
          takeOverHours: input.takeOverHours ?? before.takeOverHours,
          ...credentialColumns(keyRing, adapter, before, credentials),
          ...(isTried
            ? {
                isConnected: true,
                disconnectedReason: null,
                templatesDueAt: adapter.listTemplates ? now : null,
              }
            : {}),
          updatedAt: now,
        })
        .where('id', '=', channelId)
        .where('companyId', '=', companyId)
        .returningAll()
        .executeTakeFirstOrThrow()
      // Stored state cannot be decrypted either.
      if (areReplaced) await deleteChannelState(tx, channelId, [])
      if (adapter.poll) await beginPolling(tx, channelId, now)
      const { credentials: filled, ...fields } = input
      await audit(
        'channel.edited',
        { id: channelId, companyId },
        { fields: [...Object.keys(fields), ...Object.keys(filled)] },
      )
      return changed
    }),
  )
  const shownOnce = Object.fromEntries(
    secretFieldsFor(adapter.form, 'confirms').flatMap((field) => {
      const value = input.credentials[field] ?? made[field]
      return value === undefined ? [] : [[field, value]]
    }),
  )
  return { channel: viewChannel(context, row), shownOnce }
}

/** Returns the new identity, with the country of a new number; null when the number is unchanged. */
function identityAfter(
  adapter: ChannelAdapter,
  before: ChannelRow,
  values: FormValues,
): ChannelIdentity & { country: string | null } {
  const open = Object.entries(adapter.openFields(identityOf(before)))
  const known = Object.fromEntries(
    open.flatMap(([field, value]) => (value ? [[field, value]] : [])),
  )
  const after = adapter.identify({ ...known, ...values })
  const hasNewNumber = after.displayNumber !== before.displayNumber
  return { ...after, country: hasNewNumber ? after.country : null }
}

function requireReentered(
  { form, isOfOneRoute }: ChannelAdapter,
  { before, identity }: { before: ChannelRow; identity: ChannelIdentity },
  input: FormValues,
): void {
  if (identity.route === before.providerRoute) return
  if (isOfOneRoute) {
    const reason = fact('channel_is_another')
    const errors = Object.keys(input).map((field) => ({ field: `credentials.${field}`, ...reason }))
    throw new ServiceError('invalid', reason, { errors })
  }
  const errors = Object.keys(form.secrets)
    .filter((field) => form.secrets[field] !== 'confirms' && input[field] === undefined)
    .map((field): FieldError => ({
      field: `credentials.${field}`,
      ...fact('channel_secret_needed_again'),
    }))
  if (errors.length > 0) {
    throw new ServiceError('invalid', fact('channel_needs_credentials'), { errors })
  }
}

/**
 * Returns the credentials after the edit. When the stored ones cannot be decrypted, all secrets must be entered
 * again, and the webhook secret is regenerated.
 * @throws conflict when some are missing
 */
function credentialsAfter(
  { keyRing, ids }: Pick<ChannelDeps, 'keyRing' | 'ids'>,
  adapter: ChannelAdapter,
  before: ChannelRow,
  input: FormValues,
): { credentials: FormValues; made: FormValues; areReplaced: boolean } {
  const given = pickSecrets(adapter, input)
  const { secrets, unreadable } = tryReadCredentials(keyRing, adapter, before)
  if (!unreadable) return { credentials: { ...secrets, ...given }, made: {}, areReplaced: false }
  const { form } = adapter
  const missing = Object.keys(form.secrets).filter((field) => !(field in given))
  const ours = missing.filter((field) => form.secrets[field] === 'confirms')
  const needed = missing.filter((field) => !form.fields.shape[field]?.safeParse(undefined).success)
  if (needed.length > 0) throw new ServiceError('conflict', unreadable)
  const made = Object.fromEntries(ours.map((field) => [field, ids.token(SECRET_BYTES)]))
  return { credentials: { ...made, ...given }, made, areReplaced: true }
}
