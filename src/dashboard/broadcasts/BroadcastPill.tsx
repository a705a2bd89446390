import type { BroadcastState, RecipientOutcome } from '../../vocabulary/broadcasts.ts'
import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

const LOOKS: Readonly<Record<BroadcastState, readonly [Tone, IconName]>> = {
  draft: ['off', 'edit'],
  scheduled: ['busy', 'clock'],
  preparing: ['busy', 'progress'],
  sending: ['busy', 'progress'],
  paused: ['warn', 'pause'],
  done: ['ok', 'ok'],
  cancelled: ['off', 'off'],
}

export function BroadcastPill({ state }: { state: BroadcastState }) {
  const t = useWords(broadcastsWords)
  const [tone, icon] = LOOKS[state]
  return (
    <Pill tone={tone} icon={icon}>
      {t(state)}
    </Pill>
  )
}

const OUTCOME_LOOKS: Readonly<Record<RecipientOutcome, readonly [Tone, IconName]>> = {
  pending: ['off', 'clock'],
  skipped: ['off', 'off'],
  queued: ['busy', 'clock'],
  sending: ['busy', 'progress'],
  unknown: ['warn', 'warning'],
  accepted: ['busy', 'check'],
  sent: ['busy', 'check'],
  delivered: ['ok', 'ok'],
  read: ['ok', 'ok'],
  failed: ['bad', 'failed'],
}

/** One word is taken by a state of the whole. */
export const outcomeWord = (outcome: RecipientOutcome) =>
  outcome === 'sending' ? ('to_send' as const) : outcome

export function OutcomePill({ outcome }: { outcome: RecipientOutcome }) {
  const t = useWords(broadcastsWords)
  const [tone, icon] = OUTCOME_LOOKS[outcome]
  return (
    <Pill tone={tone} icon={icon}>
      {t(outcomeWord(outcome))}
    </Pill>
  )
}
