import { z } from 'zod'
import type { HandoverTexts } from '../../contract/dashboard/assistant.ts'

const sentence = z.string().nullable().default(null)
const OfLanguage = z.object({ inHours: sentence, outOfHours: sentence })
const Texts = z.object({ ar: OfLanguage.prefault({}), en: OfLanguage.prefault({}) })

/** Parses the stored sentences for customers at a handover; null for each that the company has not set. */
export function readHandoverTexts(column: string | null): HandoverTexts {
  return Texts.parse(JSON.parse(column ?? '{}'))
}
