import type { SourceView } from '../../../contract/dashboard/knowledge.ts'
import { Pill, type Tone } from '../../parts/Pill.tsx'
import { useWords } from '../../words/use-words.tsx'
import { knowledgeWords } from './words.ts'

const TONES = {
  waiting: 'busy',
  reading: 'busy',
  ready: 'ok',
  failed: 'bad',
  stale: 'warn',
  off: 'off',
} as const satisfies Record<string, Tone>

/** The state of a source in the assistant's search. */
export function SourcePill({ source }: { source: Pick<SourceView, 'state' | 'isOn' | 'chunks'> }) {
  const t = useWords(knowledgeWords)
  const isStale = source.state === 'failed' && source.chunks > 0
  const shown = source.isOn ? (isStale ? 'stale' : source.state) : 'off'
  return <Pill tone={TONES[shown]}>{t(`state_${shown}`)}</Pill>
}
