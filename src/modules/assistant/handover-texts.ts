import { z } from 'zod'
import type { HandoverTexts } from '../../contract/dashboard/assistant.ts'

const sentence = z.string().nullable().default(null)
const OfLanguage = z.object({ inHours: sentence, outOfHours: sentence })
const Texts = z.object({ ar: OfLanguage.prefault({}), en: OfLanguage.prefault({}) })

/** Returns what customers are told at a handover, as the column holds it; null for each that a company left to us. */
export function readHandoverTexts(column: string | null): HandoverTexts {
  return Texts.parse(JSON.parse(column ?? '{}'))
}
