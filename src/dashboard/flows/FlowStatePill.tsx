import type { FlowState } from '../../core/vocabulary/flows.ts'
import { Pill, type Looks } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { builderWords } from './words-builder.ts'

const LOOKS: Looks<FlowState> = {
  on: { tone: 'ok' },
  off: { tone: 'off' },
  draft: { tone: 'off', icon: 'edit' },
  beyond_plan: { tone: 'warn' },
  not_in_plan: { tone: 'warn' },
  channel_off: { tone: 'warn' },
}

/** The state of a flow, such as on, off or draft, as an icon with a word. */
export function FlowStatePill({ state }: { state: FlowState }) {
  const t = useWords(builderWords)
  return <Pill {...LOOKS[state]}>{t(state)}</Pill>
}
