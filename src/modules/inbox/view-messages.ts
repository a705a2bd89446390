import type { Kysely, Selectable } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { FileView } from '../../contract/dashboard/file.ts'
import type { MessageView, PersonView } from '../../contract/dashboard/conversation.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB, Message } from '../../infra/database/tables.ts'
import { viewFilesOf } from '../files/load-file.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import type { SentMessageStatus } from '../../core/vocabulary/channels.ts'

/** A row of the table of messages. */
export type MessageRow = Selectable<Message>

/** Returns people's names by their ids. */
export async function readPeople(
  db: Kysely<DB>,
  ids: readonly (string | null)[],
): Promise<Map<string, PersonView>> {
  const known = [...new Set(ids.flatMap((id) => id ?? []))]
  if (known.length === 0) return new Map()
  const people = await db
    .selectFrom('person')
    .select(['id', 'name'])
    .where('id', 'in', known)
    .execute()
  return new Map(people.map((person) => [person.id, person]))
}

/** Returns messages as members see them, in the given order, with authors and attachments. */
export async function viewMessages(
  { db, formatFact }: { db: Pick<Context['db'], 'kysely'>; formatFact: FormatFact },
  companyId: string,
  rows: readonly MessageRow[],
): Promise<MessageView[]> {
  const people = await readPeople(
    db.kysely,
    rows.map(({ authorId }) => authorId),
  )
  const fileIds = rows.flatMap(({ fileId }) => fileId ?? [])
  const files = await viewFilesOf({ db, formatFact }, { companyId, fileIds })
  return rows.map((row) => view(formatFact, row, people, files))
}

function view(
  formatFact: FormatFact,
  row: MessageRow,
  people: ReadonlyMap<string, PersonView>,
  files: ReadonlyMap<string, FileView>,
): MessageView {
  const at = (time: Date | null) => time?.toISOString() ?? null
  return {
    kind: 'message',
    id: row.id,
    conversationId: row.conversationId,
    direction: row.direction as MessageView['direction'],
    sender: row.sender,
    author: people.get(row.authorId ?? '') ?? null,
    type: row.type,
    text: row.text,
    earlierTexts: row.earlierTexts as MessageView['earlierTexts'],
    deletedAt: at(row.deletedAt),
    reaction: row.reaction,
    transcript: row.type === 'audio' ? row.transcript : null,
    place: row.type === 'location' ? row.transcript : null,
    details: ['audio', 'location'].includes(row.type) ? null : row.transcript,
    page: row.page,
    file: files.get(row.fileId ?? '') ?? null,
    templateName: row.templateName,
    runId: row.runId,
    replyId: row.replyId,
    status: row.status as SentMessageStatus | null,
    errorCode: row.errorCode,
    errorDetail: row.errorDetail === null ? null : formatFact(parseFact(row.errorDetail)),
    at: row.occurredAt.toISOString(),
    sentAt: at(row.sentAt),
    deliveredAt: at(row.deliveredAt),
    readAt: at(row.readAt),
    failedAt: at(row.failedAt),
  }
}
