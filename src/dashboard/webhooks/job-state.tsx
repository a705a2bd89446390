import { Pill, type Tone } from '../parts/Pill.tsx'
import type { IconName } from '../parts/icons.ts'
import type { ResendJobState } from '../../vocabulary/deliveries.ts'
import { useWords } from '../words/use-words.tsx'
import { jobWords } from './words-jobs.ts'

const LOOKS: Readonly<Record<ResendJobState, { tone: Tone; icon: IconName }>> = {
  running: { tone: 'busy', icon: 'progress' },
  paused: { tone: 'warn', icon: 'pause' },
  done: { tone: 'ok', icon: 'ok' },
  cancelled: { tone: 'off', icon: 'off' },
}

export function JobPill({ state }: { state: ResendJobState }) {
  const t = useWords(jobWords)
  return <Pill {...LOOKS[state]}>{t(state)}</Pill>
}
