import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { connectionsWords } from './words.ts'

export function OnPill({ isOn }: { isOn: boolean }) {
  const t = useWords(connectionsWords)
  return <Pill tone={isOn ? 'ok' : 'off'}>{t(isOn ? 'on' : 'off')}</Pill>
}
