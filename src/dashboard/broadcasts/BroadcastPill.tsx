import type { BroadcastState, RecipientOutcome } from '../../core/vocabulary/broadcasts.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { broadcastsWords } from './words.ts'

const LOOKS: Looks<BroadcastState> = {
  draft: { tone: 'off', icon: 'edit' },
  scheduled: { tone: 'busy', icon: 'clock' },
  preparing: { tone: 'busy', icon: 'progress' },
  sending: { tone: 'busy', icon: 'progress' },
  paused: { tone: 'warn', icon: 'pause' },
  done: { tone: 'ok', icon: 'ok' },
  cancelled: { tone: 'off', icon: 'off' },
}

/** The state of a broadcast, as an icon with a word. */
export function BroadcastPill({ state }: { state: BroadcastState }) {
  const t = useWords(broadcastsWords)
  return <Pill {...LOOKS[state]}>{t(state)}</Pill>
}

const OUTCOME_LOOKS: Looks<RecipientOutcome> = {
  pending: { tone: 'off', icon: 'clock' },
  skipped: { tone: 'off', icon: 'off' },
  queued: { tone: 'busy', icon: 'clock' },
  sending: { tone: 'busy', icon: 'progress' },
  unknown: { tone: 'warn', icon: 'warning' },
  accepted: { tone: 'busy', icon: 'check' },
  sent: { tone: 'busy', icon: 'check' },
  delivered: { tone: 'ok', icon: 'ok' },
  read: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'bad', icon: 'failed' },
}

/**
 * Returns the key of the text for a recipient's outcome. The key `sending` belongs to the state of the whole broadcast.
 */
export const outcomeWord = (outcome: RecipientOutcome) =>
  outcome === 'sending' ? ('to_send' as const) : outcome

/** The outcome of a broadcast for one recipient, as an icon with a word. */
export function OutcomePill({ outcome }: { outcome: RecipientOutcome }) {
  const t = useWords(broadcastsWords)
  return <Pill {...OUTCOME_LOOKS[outcome]}>{t(outcomeWord(outcome))}</Pill>
}
