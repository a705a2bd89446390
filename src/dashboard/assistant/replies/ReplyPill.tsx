import type { ReplyState } from '../../../core/vocabulary/assistant-setup.ts'
import { Pill, type Tone } from '../../parts/Pill.tsx'
import { useWords } from '../../words/use-words.tsx'
import { repliesWords } from './words.ts'

const TONES: Readonly<Record<ReplyState, Tone>> = {
  gathering: 'busy',
  thinking: 'busy',
  sending: 'busy',
  sent: 'ok',
  handed_over: 'warn',
  not_sent: 'bad',
  unknown: 'warn',
  cancelled: 'off',
  failed: 'bad',
}

/** The state of a reply of the assistant, as an icon with a word. */
export function ReplyPill({ state }: { state: ReplyState }) {
  const t = useWords(repliesWords)
  const tone = TONES[state]
  return (
    <Pill tone={tone} {...(state === 'handed_over' && { icon: 'hand_over' as const })}>
      {t(`state_${state}`)}
    </Pill>
  )
}
