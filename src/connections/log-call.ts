import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { shareStatement } from '../database/share-statement.ts'
import { CALL_LIMITS } from '../limits.ts'
import type { CallFailure, CallMethod } from '../vocabulary.ts'

/** Who calls. */
export type CallSource =
  | { kind: 'step'; runId: string; stepId: string }
  | { kind: 'action'; actionId: string; conversationId: string | null }
  | { kind: 'test'; personId: string }

export type CallEntry = {
  companyId: string
  connectionId: string
  source: CallSource
  method: CallMethod
  /** Of the connection's base. */
  host: string
  /** Of the whole URL, without its query. */
  path: string
  isRepeat: boolean
  status: number | null
  error: CallFailure | null
  durationMs: number
  startedAt: Date
}

/**
 * Writes one attempt down; those that end at the same time share a statement. Never throws: the
 * outcome of a call that was made is worth more than its line in the log.
 * Spec: Events › Retention › calls.
 */
export async function logCall(
  { db, ids, log }: Pick<Context, 'db' | 'ids' | 'log'>,
  entry: CallEntry,
): Promise<void> {
  try {
    await writeEntry(db, { ...NOBODY, ...entry.source, ...entry, id: ids.uuid() })
  } catch (error) {
    log.warn({ err: error, connectionId: entry.connectionId }, 'a call could not be written down')
  }
}

const NOBODY = { runId: null, stepId: null, actionId: null, conversationId: null, personId: null }

type Row = CallEntry & { id: string } & { [Part in keyof typeof NOBODY]: string | null }

const writeEntry = shareStatement<Row, void>({
  most: CALL_LIMITS.inOneStatement,
  async run(db, rows) {
    await sql`
      insert into call_log (id, company_id, connection_id, source, run_id, step_id, action_id,
        conversation_id, person_id, method, host, path, is_repeat, status, error, duration_ms,
        started_at)
      select * from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.companyId)}::uuid[],
        ${rows.map((row) => row.connectionId)}::uuid[],
        ${rows.map((row) => row.source.kind)}::text[],
        ${rows.map((row) => row.runId)}::uuid[],
        ${rows.map((row) => row.stepId)}::text[],
        ${rows.map((row) => row.actionId)}::uuid[],
        ${rows.map((row) => row.conversationId)}::text[],
        ${rows.map((row) => row.personId)}::uuid[],
        ${rows.map((row) => row.method)}::text[],
        ${rows.map((row) => row.host)}::text[],
        ${rows.map((row) => row.path)}::text[],
        ${rows.map((row) => row.isRepeat)}::boolean[],
        ${rows.map((row) => row.status)}::smallint[],
        ${rows.map((row) => row.error)}::text[],
        ${rows.map((row) => Math.round(row.durationMs))}::int[],
        ${rows.map((row) => row.startedAt)}::timestamptz[]
      )
    `.execute(db.kysely)
    return rows.map(() => {})
  },
})
