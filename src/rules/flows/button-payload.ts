import { UUID_PATTERN } from '../text/uuid.ts'
/**
 * What stands in a button or row that a run sends, and comes back when the customer taps it: which run it
 * is of, at which question, and the place of the option. A template's quick replies name no step.
 */

export type PressedOption = {
  runId: string
  /** Null of a template's button. */
  stepId: string | null
  /** From 0: of a question, the option; of a template, the button. */
  option: number
}

const PAYLOAD = new RegExp(String.raw`^run:(${UUID_PATTERN}):(?:([A-Za-z0-9_-]{1,64}):)?(\d{1,3})$`)

export function buttonPayload({ runId, stepId, option }: PressedOption): string {
  return stepId === null ? `run:${runId}:${option}` : `run:${runId}:${stepId}:${option}`
}

/** Null of what no run of ours has sent. */
export function readButtonPayload(payload: string | null): PressedOption | null {
  const read = PAYLOAD.exec(payload ?? '')
  if (!read) return null
  return { runId: read[1]!, stepId: read[2] ?? null, option: Number(read[3]) }
}
