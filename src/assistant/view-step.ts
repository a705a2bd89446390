import type { Selectable } from 'kysely'
import type { StepView } from '../contract/dashboard/assistant-reply.ts'
import type { AssistantStep } from '../database/tables.ts'

/** What the kinds of steps keep beside their texts. */
type Kept = {
  calls?: { name: string; input: string }[]
  tried?: { model: string; failure: string | null }[]
  isDone?: boolean
  data?: { chunks?: StepView['chunks']; reference?: string; startsAt?: string }
  answered?: { kind: 'agreed' | 'withdrawn' | 'ask_again' | 'none'; proposalId: string | null }
  statement?: string
}

/** What customers were asked before something was done, by the ids of the proposals. */
export type Asked = ReadonlyMap<string, NonNullable<StepView['asked']>>

/** The proposal that a step's customer answered to; null of every other step. */
export function proposalOf({ data }: Pick<Selectable<AssistantStep>, 'data'>): string | null {
  return (JSON.parse(data ?? '{}') as Kept).answered?.proposalId ?? null
}

/** A step as the trace shows it. Spec: Assistant › Trace. */
export function viewStep(row: Selectable<AssistantStep>, asked: Asked = new Map()): StepView {
  const kept = JSON.parse(row.data ?? '{}') as Kept
  const isModel = row.kind === 'model'
  const answered = kept.answered?.kind ?? 'none'
  return {
    epoch: row.epoch,
    number: row.number,
    kind: row.kind as StepView['kind'],
    state: row.state as StepView['state'],
    name: row.name,
    at: row.startedAt.toISOString(),
    durationMs: row.endedAt && row.endedAt.getTime() - row.startedAt.getTime(),
    told: isModel ? readTold(row.input) : null,
    text: row.told,
    input: isModel ? null : row.input,
    calls: (kept.calls ?? []).map(({ name, input }) => ({ name, input })),
    tried: (kept.tried ?? []).flatMap(({ model, failure }) =>
      failure === null ? [] : [{ model, failure }],
    ),
    tokensIn: row.tokensIn,
    tokensOut: row.tokensOut,
    failure: row.failure,
    isDone: row.kind === 'tool' ? (kept.isDone ?? false) : null,
    answered: answered === 'none' ? null : answered,
    statement: kept.statement ?? null,
    asked: asked.get(proposalOf(row) ?? '') ?? null,
    booked: readBooked(kept.data),
    chunks: (kept.data?.chunks ?? []).map(({ number, sourceId, title, heading, score }) => ({
      number,
      sourceId,
      title,
      heading,
      score,
    })),
  }
}

function readBooked({ reference, startsAt }: Kept['data'] = {}): StepView['booked'] {
  return reference === undefined || startsAt === undefined ? null : { reference, startsAt }
}

function readTold(input: string | null): StepView['told'] {
  if (input === null) return null
  const { parts = [], changing = null } = JSON.parse(input) as {
    parts?: string[]
    changing?: string | null
  }
  return { parts, changing }
}
