/** Endpoints of a company, how they fare, and the secrets that sign for them. */
import { nowOf, storeOf, type FieldsOf, type Recorded } from './records.ts'

type Its = { endpointId: string }

/** Returns an endpoint with its health. */
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

async function set(world: Recorded, { endpointId }: Its, values: FieldsOf<'endpoint'>) {
  await storeOf(world).updateTable('endpoint').set(values).where('id', '=', endpointId).execute()
}

/** Switches an endpoint off. `reason` says who did it: a member, unless told. */
export const switchOff = (
  world: Recorded,
  { endpointId }: Its,
  { reason = 'by_member', at = nowOf(world) }: { reason?: string; at?: Date } = {},
): Promise<void> => set(world, { endpointId }, { isOn: false, offAt: at, offReason: reason })

export const switchOn = (world: Recorded, { endpointId }: Its): Promise<void> =>
  set(world, { endpointId }, { isOn: true, offAt: null, offReason: null })

/** Sets how an endpoint fares: its failures in a row and since when, and its slots. */
export async function putHealth(
  world: Recorded,
  { endpointId }: Its,
  health: Omit<FieldsOf<'endpointHealth'>, 'endpointId' | 'companyId'>,
): Promise<void> {
  await storeOf(world)
    .updateTable('endpointHealth')
    .set(health)
    .where('endpointId', '=', endpointId)
    .execute()
}
