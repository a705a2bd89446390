import type { Actor } from '../accounts/actor.ts'
import type { KeyRing } from '../accounts/key-ring.ts'
import { recordAudit } from '../accounts/record-audit.ts'
import { tokenHash } from '../accounts/token-hash.ts'
import type { Context } from '../context.ts'
import type { ConnectChannel, ConnectedChannel } from '../contract/dashboard/channel.ts'
import { isUniqueViolation } from '../database/is-unique-violation.ts'
import { transaction } from '../database/transaction.ts'
import { countryOfNumber } from '../rules/country-of-number.ts'
import { ServiceError } from '../service-error.ts'
import { writeCredentials } from './load-owned-channel.ts'
import { connectionOf, type Providers } from './provider-connection.ts'
import { requireCredentials } from './require-credentials.ts'
import { viewChannel } from './view-channel.ts'

const VERIFY_TOKEN_BYTES = 24

export type ChannelDeps = Context & { keyRing: KeyRing; providers: Providers; publicUrl(): string }

/**
 * Connects a WhatsApp number of the provider: its credentials are tried before anything is saved,
 * and are stored encrypted. A number is connected once in the whole service.
 *
 * @throws conflict when the number is connected already, invalid and provider_failed as the provider
 * answers. Spec: Concepts › Channel; Concepts › Channel capabilities.
 */
export async function connectChannel(
  context: ChannelDeps,
  actor: Actor,
  { companyId, ...input }: ConnectChannel & { companyId: string },
): Promise<ConnectedChannel> {
  const { db, ids, clock, keyRing, providers } = context
  const country = requireCountry(input)
  await requireFree(context, input.phoneNumberId)
  await requireCredentials(
    providers.whatsApp,
    connectionOf(providers, {
      isSimulated: false,
      route: input.phoneNumberId,
      providerAccount: input.businessAccountId,
      credentials: input,
    }),
  )
  const id = ids.uuid()
  const now = clock.now()
  const verifyToken = input.verifyToken ?? ids.token(VERIFY_TOKEN_BYTES)
  const channel = await claimingRoute(() =>
    transaction(db, async (tx) => {
      const row = await tx
        .insertInto('channel')
        .values({
          id,
          companyId,
          type: 'whatsapp',
          name: input.name,
          providerRoute: input.phoneNumberId,
          providerAccount: input.businessAccountId,
          displayNumber: input.displayNumber,
          country,
          credentials: writeCredentials(
            keyRing,
            { id, companyId },
            { accessToken: input.accessToken, appSecret: input.appSecret, verifyToken },
          ),
          verifyTokenHash: tokenHash(verifyToken),
          isConnected: true,
          templatesDueAt: now,
          createdAt: now,
          updatedAt: now,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await recordAudit(
        tx,
        { ids, now },
        {
          actor,
          action: 'channel.connected',
          subjectKind: 'channel',
          subjectId: id,
          companyId,
          detail: { name: input.name, phoneNumberId: input.phoneNumberId, country },
        },
      )
      return row
    }),
  )
  return { channel: viewChannel(context, channel), verifyToken }
}

/** @throws invalid when no country is given and the number's digits do not tell it. */
function requireCountry({ country, displayNumber }: ConnectChannel): string {
  const known = country ?? countryOfNumber(displayNumber)
  if (known) return known
  throw new ServiceError('invalid', 'The country of the number is not known.', {
    errors: [
      { field: 'country', code: 'missing', message: 'is needed: the number does not tell it' },
    ],
  })
}

/** A look before the provider is asked; the unique index decides. Never tells whose it is. */
async function requireFree({ db }: Pick<Context, 'db'>, phoneNumberId: string): Promise<void> {
  const taken = await db.kysely
    .selectFrom('channel')
    .select('id')
    .where('type', '=', 'whatsapp')
    .where('providerRoute', '=', phoneNumberId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (taken) throw routeTaken()
}

/** Runs work that gives a channel its route. @throws conflict when another channel has it. */
export async function claimingRoute<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error, 'channel_route') ? routeTaken() : error
  }
}

function routeTaken(): ServiceError {
  return new ServiceError(
    'conflict',
    'This WhatsApp number is connected already, here or in another account. Delete it there first.',
    { errors: [{ field: 'phoneNumberId', code: 'taken', message: 'is connected already' }] },
  )
}
