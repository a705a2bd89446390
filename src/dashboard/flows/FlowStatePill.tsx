import type { FlowState } from '../../vocabulary/flows.ts'
import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { builderWords } from './words-builder.ts'

const LOOKS: Readonly<Record<FlowState, { tone: Tone; icon?: IconName }>> = {
  on: { tone: 'ok' },
  off: { tone: 'off' },
  draft: { tone: 'off', icon: 'edit' },
  beyond_plan: { tone: 'warn' },
  not_in_plan: { tone: 'warn' },
  channel_off: { tone: 'warn' },
}

export function FlowStatePill({ state }: { state: FlowState }) {
  const t = useWords(builderWords)
  const { tone, icon } = LOOKS[state]
  return (
    <Pill tone={tone} {...(icon && { icon })}>
      {t(state)}
    </Pill>
  )
}
