import type { ActionView } from '../../contract/dashboard/action.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { actionsWords } from './words.ts'

/** An action is offered only while its connection is on too. */
export function ActionPill({ action }: { action: Pick<ActionView, 'isOn' | 'connection'> }) {
  const t = useWords(actionsWords)
  if (!action.isOn) return <Pill tone="off">{t('off')}</Pill>
  if (!action.connection.isOn) return <Pill tone="warn">{t('connection_off')}</Pill>
  return <Pill tone="ok">{t('on')}</Pill>
}
