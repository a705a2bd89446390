import type { ContactImportState } from '../../../contract/dashboard/contact-import.ts'
import type { IconName } from '../../parts/icons.ts'
import { Pill, type Tone } from '../../parts/Pill.tsx'
import { useWords } from '../../words/use-words.tsx'
import { importWords } from './words.ts'

const LOOKS: Readonly<Record<ContactImportState, readonly [Tone, IconName]>> = {
  uploaded: ['off', 'file'],
  checking: ['busy', 'progress'],
  checked: ['warn', 'clock'],
  running: ['busy', 'progress'],
  done: ['ok', 'ok'],
  cancelled: ['off', 'off'],
  failed: ['bad', 'failed'],
}

export function ImportPill({ state }: { state: ContactImportState }) {
  const t = useWords(importWords)
  const [tone, icon] = LOOKS[state]
  return (
    <Pill tone={tone} icon={icon}>
      {t(`state_${state}`)}
    </Pill>
  )
}
