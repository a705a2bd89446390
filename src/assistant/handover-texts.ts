import type { HandoverTexts } from '../contract/dashboard/assistant.ts'

/** The company's own sentences of a handover, as `assistant.texts` holds them; a language that is not there has none. */
export function readHandoverTexts(stored: string): Partial<HandoverTexts> {
  return JSON.parse(stored) as Partial<HandoverTexts>
}
