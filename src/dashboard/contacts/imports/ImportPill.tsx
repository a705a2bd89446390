import type { ContactImportState } from '../../../contract/dashboard/contact-import.ts'
import { Pill, type Looks } from '../../parts/Pill.tsx'
import { useWords } from '../../words/use-words.tsx'
import { importWords } from './words.ts'

const LOOKS: Looks<ContactImportState> = {
  uploaded: { tone: 'off', icon: 'file' },
  checking: { tone: 'busy', icon: 'progress' },
  checked: { tone: 'warn', icon: 'clock' },
  running: { tone: 'busy', icon: 'progress' },
  done: { tone: 'ok', icon: 'ok' },
  cancelled: { tone: 'off', icon: 'off' },
  failed: { tone: 'bad', icon: 'failed' },
}

/** The state of an import of contacts, as an icon with a word. */
export function ImportPill({ state }: { state: ContactImportState }) {
  const t = useWords(importWords)
  return <Pill {...LOOKS[state]}>{t(`state_${state}`)}</Pill>
}
