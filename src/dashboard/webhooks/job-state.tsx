import { Pill, type Looks } from '../parts/Pill.tsx'
import type { ResendJobState } from '../../core/vocabulary/deliveries.ts'
import { useWords } from '../words/use-words.tsx'
import { jobWords } from './words-jobs.ts'

const LOOKS: Looks<ResendJobState> = {
  running: { tone: 'busy', icon: 'progress' },
  paused: { tone: 'warn', icon: 'pause' },
  done: { tone: 'ok', icon: 'ok' },
  cancelled: { tone: 'off', icon: 'off' },
}

/** The state of a resend job, as an icon with a word. */
export function JobPill({ state }: { state: ResendJobState }) {
  const t = useWords(jobWords)
  return <Pill {...LOOKS[state]}>{t(state)}</Pill>
}
