/** Files that were received, uploaded or sent. */
import type { Company, FieldsOf, Recorded } from './records.ts'
import { add, insert, newIdOf, nowOf, read, readFirst, remove, update } from './records.ts'

/** Returns a file, or undefined when it was deleted. */
export const fileOf = (world: Recorded, id: string) => readFirst(world, 'file', { id })

/** Returns the files of a company or channel, in the order of their arrival. */
export const filesOf = (
  world: Recorded,
  { companyId, channelId }: { companyId?: string; channelId?: string },
) => read(world, 'file', { companyId, channelId }, 'createdAt', 'id')

/** Adds a file that is kept, without its bytes. Returns its id. */
export function addFile(
  world: Recorded,
  { companyId }: Company,
  more: FieldsOf<'file'> = {},
): Promise<string> {
  const about = { mediaType: 'text/plain', size: 1, sha256: Buffer.alloc(32) }
  const kept = { purpose: 'flow', state: 'kept', createdAt: nowOf(world) }
  return add(world, 'file', { ...about, ...kept, ...more, companyId })
}

/** Deletes a file and what is known of it. */
export const removeFile = (world: Recorded, id: string) => remove(world, 'file', { id })

/** Sets how far the service is with a file. */
export const putFile = (world: Recorded, id: string, state: FieldsOf<'file'>) =>
  update(world, 'file', { id }, state)

/** Repeats a file `count` times, as others of the same size or another one. */
export async function repeatFile(
  world: Recorded,
  id: string,
  count: number,
  { size }: { size: number },
): Promise<void> {
  const file = await fileOf(world, id)
  const rows = Array.from({ length: count }, () => ({ ...file!, id: newIdOf(world), size }))
  await insert(world, 'file', ...rows)
}
