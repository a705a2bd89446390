import type { Selectable } from 'kysely'
import type { StepView } from '../../contract/dashboard/assistant-reply.ts'
import type { AssistantStep } from '../../infra/database/tables.ts'
import { readAnswerData, readRequestData, readShownData, readToolData } from './step-data.ts'

/** The statements that customers answered, by the ids of their proposals. */
export type StatementByProposal = ReadonlyMap<string, NonNullable<StepView['confirmation']>>

/** Returns the proposal that a step's customer answered, or null. */
export function proposalOf(step: Pick<Selectable<AssistantStep>, 'kind' | 'data'>): string | null {
  return step.kind === 'tool' ? (readToolData(step).answered?.proposalId ?? null) : null
}

/** Returns a step as the trace shows it. Spec: Assistant › Trace. */
export function viewStep(
  row: Selectable<AssistantStep>,
  statements: StatementByProposal = new Map(),
): StepView {
  const isModel = row.kind === 'model'
  const { calls, tried, thought } = readAnswerData(isModel ? row : NOTHING)
  const used = readToolData(row.kind === 'tool' ? row : NOTHING)
  const { chunks, reference, startsAt } = readShownData(used)
  const answered = used.answered?.kind ?? 'none'
  return {
    epoch: row.epoch,
    number: row.number,
    kind: row.kind as StepView['kind'],
    state: row.state as StepView['state'],
    name: row.name,
    at: row.startedAt.toISOString(),
    durationMs: row.endedAt && row.endedAt.getTime() - row.startedAt.getTime(),
    prompt: isModel ? readPrompt(row.input) : null,
    text: row.result,
    input: isModel ? null : row.input,
    calls: calls.map(({ name, input }) => ({ name, input })),
    tried: tried.flatMap(({ model, failure }) => (failure === null ? [] : [{ model, failure }])),
    tokensIn: row.tokensIn,
    tokensOut: row.tokensOut,
    thought: thought && { chars: thought.chars, tokens: thought.tokens },
    failure: row.failure,
    isDone: row.kind === 'tool' ? used.isDone : null,
    answered: answered === 'none' ? null : answered,
    statement: used.statement ?? null,
    confirmation: statements.get(proposalOf(row) ?? '') ?? null,
    booked: reference === undefined || startsAt === undefined ? null : { reference, startsAt },
    chunks,
  }
}

const NOTHING = { data: null }

function readPrompt(input: string | null): StepView['prompt'] {
  if (input === null) return null
  const { parts, changing } = readRequestData(input)
  return { parts, changing }
}
