import type { LeadTemperature } from '../vocabulary/leads.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of a lead's interest. */
export const leadTemperatureWords = defineWordsOf<LeadTemperature>()({
  en: { cold: 'Cold', warm: 'Warm', hot: 'Hot' },
  ar: { cold: 'اهتمام ضعيف', warm: 'اهتمام متوسط', hot: 'اهتمام قوي' },
})
