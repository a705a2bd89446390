import type { RunStatus } from '../../core/vocabulary/flows.ts'
import { runStatusWords } from '../../core/words/run-status-words.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'

const LOOKS: Looks<RunStatus> = {
  queued: { tone: 'busy', icon: 'clock' },
  running: { tone: 'busy', icon: 'progress' },
  waiting: { tone: 'busy', icon: 'clock' },
  completed: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'failed' },
  skipped: { tone: 'off', icon: 'off' },
  cancelled: { tone: 'off', icon: 'off' },
}

/** The status of a run, as an icon with a word. */
export function RunPill({ status }: { status: RunStatus }) {
  const t = useWords(runStatusWords)
  return <Pill {...LOOKS[status]}>{t(status)}</Pill>
}
