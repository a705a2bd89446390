/** Files that were received, uploaded or sent. */
import { given, newIdOf, storeOf, type Recorded, type RecordOf } from './records.ts'

export type FileRecord = RecordOf<'file'>

/** Returns a file, or undefined when it was deleted. */
export const fileOf = (world: Recorded, id: string): Promise<FileRecord | undefined> =>
  storeOf(world).selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns the files of a company or channel, in the order in which they came. */
export const filesOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
): Promise<FileRecord[]> =>
  storeOf(world)
    .selectFrom('file')
    .selectAll()
    .where((eb) => eb.and(given({ companyId, channelId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()

/** Sets how far the service is with a file. */
export async function putFile(
  world: Recorded,
  id: string,
  state: Partial<Pick<FileRecord, 'state' | 'dueAt' | 'attempt' | 'size' | 'purpose'>>,
): Promise<void> {
  await storeOf(world).updateTable('file').set(state).where('id', '=', id).execute()
}

/** Repeats a file `count` times, as others of the same size or another one. */
export async function repeatFile(
  world: Recorded,
  id: string,
  count: number,
  { size }: { size: number },
): Promise<void> {
  const file = await fileOf(world, id)
  const rows = Array.from({ length: count }, () => ({ ...file!, id: newIdOf(world), size }))
  if (count > 0) await storeOf(world).insertInto('file').values(rows).execute()
}
