/** Connections to merchants' APIs, the calls made with them, and the proposals of AI actions. */
import { given, storeOf, type FieldsOf, type Recorded } from './records.ts'

export const connectionOf = (world: Recorded, id: string) =>
  storeOf(world)
    .selectFrom('apiConnection')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Sets what a connection is, past the checks of the API. */
export async function putConnection(
  world: Recorded,
  id: string,
  values: Omit<FieldsOf<'apiConnection'>, 'id' | 'companyId'>,
): Promise<void> {
  await storeOf(world).updateTable('apiConnection').set(values).where('id', '=', id).execute()
}

/** Returns the proposals of actions in a conversation or company, in the order in which they were made. */
export const proposalsOf = (
  world: Recorded,
  { companyId, conversationId }: { companyId?: string; conversationId?: string },
) =>
  storeOf(world)
    .selectFrom('actionProposal')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, conversationId })))
    .orderBy('id')
    .execute()
