import type { Context } from '../../infra/context.ts'
import { createBatcherPerDatabase } from '../../infra/database/batcher.ts'
import { CALL_LIMITS } from '../../core/limits/calls.ts'
import type { CallFailure, CallMethod } from '../../core/vocabulary/calls.ts'

/** The origin of a call: a step of a run, an action of the assistant, or a member's test. */
export type CallSource =
  | { kind: 'step'; runId: string; stepId: string }
  | { kind: 'action'; actionId: string; conversationId: string | null }
  | { kind: 'test'; personId: string }

/** An attempt of a call for the log. */
export type CallEntry = {
  companyId: string
  connectionId: string
  source: CallSource
  method: CallMethod
  /** The host of the connection's base URL. */
  host: string
  /** The path of the whole URL, without its query. */
  path: string
  isRepeat: boolean
  status: number | null
  error: CallFailure | null
  durationMs: number
  startedAt: Date
}

/**
 * Logs one attempt; attempts that end at the same time share a statement. Never throws, as the outcome of the call
 * matters more than its log line.
 * Spec: Retention › Retention periods.
 */
export async function logCall(
  { db, ids, log }: Pick<Context, 'db' | 'ids' | 'log'>,
  entry: CallEntry,
): Promise<void> {
  try {
    await writeEntry(db, { ...NO_CALLER, ...entry.source, ...entry, id: ids.uuid() })
  } catch (error) {
    log.warn({ err: error, connectionId: entry.connectionId }, 'call not logged')
  }
}

const NO_CALLER = {
  runId: null,
  stepId: null,
  actionId: null,
  conversationId: null,
  personId: null,
}

type Row = CallEntry & { id: string } & { [Part in keyof typeof NO_CALLER]: string | null }

const WRITE = `
  insert into call_log (id, company_id, connection_id, source, run_id, step_id, action_id,
    conversation_id, person_id, method, host, path, is_repeat, status, error, duration_ms, started_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[],
    $7::uuid[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::text[], $13::boolean[],
    $14::smallint[], $15::text[], $16::int[], $17::timestamptz[])`

const writeEntry = createBatcherPerDatabase<Context['db'], Row, void>({
  maxSize: CALL_LIMITS.inOneStatement,
  bisectOnError: true,
  async run({ pool }, rows) {
    await pool.query(WRITE, [
      rows.map((row) => row.id),
      rows.map((row) => row.companyId),
      rows.map((row) => row.connectionId),
      rows.map((row) => row.source.kind),
      rows.map((row) => row.runId),
      rows.map((row) => row.stepId),
      rows.map((row) => row.actionId),
      rows.map((row) => row.conversationId),
      rows.map((row) => row.personId),
      rows.map((row) => row.method),
      rows.map((row) => row.host),
      rows.map((row) => row.path),
      rows.map((row) => row.isRepeat),
      rows.map((row) => row.status),
      rows.map((row) => row.error),
      rows.map((row) => Math.round(row.durationMs)),
      rows.map((row) => row.startedAt),
    ])
    return rows.map(() => {})
  },
})
