/** Endpoints of a company, how they fare, and the secrets that sign for them. */
import { encryptionContext } from '../../../src/modules/endpoints/create-endpoint.ts'
import type { Company, FieldsOf, Recorded, WithKeys } from './records.ts'
import { insert, newIdOf, nowOf, read, storeOf, update } from './records.ts'

type Its = { endpointId: string }

export const endpointOf = (world: Recorded, { endpointId }: Its) =>
  storeOf(world)
    .selectFrom('endpoint')
    .innerJoin('endpointHealth', 'endpointHealth.endpointId', 'endpoint.id')
    .selectAll('endpoint')
    .select([
      'failuresInRow',
      'failingSince',
      'lastFailureAt',
      'lastSuccessAt',
      'slots',
      'warnedAt',
    ])
    .where('endpoint.id', '=', endpointId)
    .executeTakeFirstOrThrow()

/** Returns the endpoints that a company has, by their names. */
export const endpointsOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'endpoint', { companyId, deletedAt: null }, 'name')

/**
 * Changes the stored columns of an endpoint, past the checks of the API and without the consequences of a
 * change.
 */
export const putEndpoint = (world: Recorded, { endpointId }: Its, values: FieldsOf<'endpoint'>) =>
  update(world, 'endpoint', { id: endpointId }, values)

/** Marks an endpoint as deleted. The deliveries that wait for it stay as they are. */
export const markDeleted = (world: Recorded, its: Its, now = nowOf(world)): Promise<void> =>
  putEndpoint(world, its, { deletedAt: now, isOn: false, offAt: now, offReason: 'by_member' })

/** Switches an endpoint off. `reason` says who did it: by default a member. */
export const switchOff = (
  world: Recorded,
  { endpointId }: Its,
  { reason = 'by_member', at = nowOf(world) }: { reason?: string; at?: Date } = {},
): Promise<void> =>
  putEndpoint(world, { endpointId }, { isOn: false, offAt: at, offReason: reason })

export const switchOn = (world: Recorded, { endpointId }: Its): Promise<void> =>
  putEndpoint(world, { endpointId }, { isOn: true, offAt: null, offReason: null })

/** Sets how an endpoint fares: its failures in a row and since when, and its slots. */
export const putHealth = (
  world: Recorded,
  { endpointId }: Its,
  health: FieldsOf<'endpointHealth'>,
) => update(world, 'endpointHealth', { endpointId }, health)

/** Returns the secrets of an endpoint as they are stored, the older first. */
export const storedSecretsOf = (world: Recorded, { endpointId }: Its) =>
  read(world, 'endpointSecret', { endpointId }, 'id')

/** Adds secrets to an endpoint, in few statements; they sign until now. Returns their ids. */
export async function addSecrets(
  world: WithKeys,
  { companyId, endpointId }: Its & Company,
  secrets: readonly string[],
): Promise<string[]> {
  const now = nowOf(world)
  const rows = secrets.map((plain) => {
    const id = newIdOf(world)
    const secret = world.service.keyRing.encrypt(plain, encryptionContext(id, companyId))
    const of = { id, companyId, endpointId }
    return { ...of, secret, lastFour: plain.slice(-4), signsUntil: now, createdAt: now }
  })
  await insert(world, 'endpointSecret', ...rows)
  return rows.map(({ id }) => id)
}

export const putSecret = (world: Recorded, id: string, set: FieldsOf<'endpointSecret'>) =>
  update(world, 'endpointSecret', { id }, set)

/** Makes the secrets of an endpoint unreadable, as where the key that encrypted them is lost. */
export const loseSecrets = (world: Recorded, { endpointId }: Its) =>
  update(world, 'endpointSecret', { endpointId }, { secret: 'v1.lost.nonce.text' })

/** Returns the sums of the attempts to an endpoint, hour by hour. */
export const hoursOf = async (world: Recorded, { endpointId }: Its) =>
  (await read(world, 'deliveryHour', { endpointId }, 'hour')).map(
    ({ attempts, failures, durationMs }) => ({ attempts, failures, durationMs }),
  )

export const addHours = (
  world: Recorded,
  { endpointId, companyId }: Its & Company,
  hours: readonly { hour: Date; attempts: number; failures: number; durationMs?: number }[],
) => insert(world, 'deliveryHour', ...hours.map((sums) => ({ ...sums, endpointId, companyId })))
