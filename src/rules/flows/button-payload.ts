import { UUID_PATTERN } from '../text/uuid.ts'
/**
 * Encodes and decodes the payload of a button or row that a run sends. A tap returns it, and it names the run, the
 * question and the index of the option. A template's quick replies name no step.
 */

/** The option that a customer tapped, as its payload names it. */
export type PressedOption = {
  runId: string
  /** Null for a template's button. */
  stepId: string | null
  /** The zero-based index of a question's option or a template's button. */
  option: number
}

const PAYLOAD = new RegExp(String.raw`^run:(${UUID_PATTERN}):(?:([A-Za-z0-9_-]{1,64}):)?(\d{1,3})$`)

/** Encodes which option of which step of a run a button stands for, as the button's payload. */
export function buttonPayload({ runId, stepId, option }: PressedOption): string {
  return stepId === null ? `run:${runId}:${option}` : `run:${runId}:${stepId}:${option}`
}

/** Decodes a payload; returns null when no run of this service sent it. */
export function readButtonPayload(payload: string | null): PressedOption | null {
  const read = PAYLOAD.exec(payload ?? '')
  if (!read) return null
  return { runId: read[1]!, stepId: read[2] ?? null, option: Number(read[3]) }
}
