import type { Selectable } from 'kysely'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { File as FileTable } from '../../infra/database/tables.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { mediaKindOf } from '../../rules/messaging/sendable-media.ts'
import type { FileState } from '../../core/vocabulary/files.ts'

/** The columns of a file that its view needs. */
export type FileRow = Pick<
  Selectable<FileTable>,
  'id' | 'state' | 'mediaType' | 'size' | 'name' | 'lostReason' | 'createdAt'
>

/** The names of the columns of `FileRow`. */
export const FILE_VIEW = [
  'id',
  'state',
  'mediaType',
  'size',
  'name',
  'lostReason',
  'createdAt',
] as const satisfies (keyof FileRow)[]

/** Converts a file to its view; `size` is null until its bytes have arrived. */
export function viewFile({ formatFact }: { formatFact: FormatFact }, row: FileRow): FileView {
  const { id, name, mediaType, lostReason } = row
  const state = row.state as FileState
  return {
    id,
    state,
    mediaType,
    mediaKind: mediaType === null ? null : mediaKindOf(mediaType),
    size: state === 'awaited' ? null : row.size,
    name,
    lostReason: lostReason === null ? null : formatFact(parseFact(lostReason)),
    createdAt: row.createdAt.toISOString(),
  }
}
