import type { RunStatus } from '../vocabulary/flows.ts'
import { defineWordsOf } from './define-words.ts'

/** The names of the statuses of a run. */
export const runStatusWords = defineWordsOf<RunStatus>()({
  en: {
    queued: 'Queued',
    running: 'Running',
    waiting: 'Waiting',
    completed: 'Completed',
    failed: 'Failed',
    skipped: 'Skipped',
    cancelled: 'Cancelled',
  },
  ar: {
    queued: 'في الانتظار',
    running: 'جارٍ',
    waiting: 'ينتظر',
    completed: 'مكتمل',
    failed: 'فشل',
    skipped: 'متخطّى',
    cancelled: 'ملغى',
  },
})
