import type { DeliveryView } from '../../contract/dashboard/delivery.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import type { IconName } from '../parts/icons.ts'
import { useWords } from '../words/use-words.tsx'
import { logWords } from './words-log.ts'

type Shown = Exclude<DeliveryView['state'], 'pending'> | 'sending' | 'retrying' | 'test_failed'

const LOOKS: Readonly<Record<Shown, { tone: Tone; icon: IconName }>> = {
  sending: { tone: 'busy', icon: 'progress' },
  retrying: { tone: 'warn', icon: 'rotate' },
  delivered: { tone: 'ok', icon: 'ok' },
  dead_lettered: { tone: 'bad', icon: 'failed' },
  test_failed: { tone: 'bad', icon: 'failed' },
  held: { tone: 'off', icon: 'pause' },
  superseded: { tone: 'off', icon: 'off' },
  cancelled: { tone: 'off', icon: 'off' },
  expired: { tone: 'off', icon: 'clock' },
}

type StateParts = Pick<DeliveryView, 'state' | 'attempts' | 'kind'>

/** What waits is called by whether it was tried: what was not is on its way. */
export function shownState({ state, attempts, kind }: StateParts): Shown {
  if (state === 'pending') return attempts === 0 ? 'sending' : 'retrying'
  return state === 'dead_lettered' && kind === 'test' ? 'test_failed' : state
}

export function DeliveryPill({ delivery }: { delivery: StateParts }) {
  const t = useWords(logWords)
  const shown = shownState(delivery)
  return <Pill {...LOOKS[shown]}>{t(shown)}</Pill>
}
