import type { RunStatus } from '../../vocabulary/flows.ts'
import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { runsWords } from './words.ts'

const LOOKS: Readonly<Record<RunStatus, readonly [Tone, IconName]>> = {
  queued: ['busy', 'clock'],
  running: ['busy', 'progress'],
  waiting: ['busy', 'clock'],
  completed: ['ok', 'ok'],
  failed: ['bad', 'failed'],
  skipped: ['off', 'off'],
  cancelled: ['off', 'off'],
}

export function RunPill({ status }: { status: RunStatus }) {
  const t = useWords(runsWords)
  const [tone, icon] = LOOKS[status]
  return (
    <Pill tone={tone} icon={icon}>
      {t(status)}
    </Pill>
  )
}
