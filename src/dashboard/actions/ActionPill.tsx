import type { ActionView } from '../../contract/dashboard/action.ts'
import { useSession } from '../app/session.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { actionsWords } from './words.ts'

/**
 * The state of an AI action, such as on or off, as an icon with a word. It is offered only while its connection is on
 * too and the plan includes actions.
 */
export function ActionPill({ action }: { action: Pick<ActionView, 'isOn' | 'connection'> }) {
  const t = useWords(actionsWords)
  const { developer: isInPlan } = useSession().account.features
  if (!action.isOn) return <Pill tone="off">{t('off')}</Pill>
  if (!isInPlan) return <Pill tone="off">{t('idle')}</Pill>
  if (!action.connection.isOn) return <Pill tone="warn">{t('connection_off')}</Pill>
  return <Pill tone="ok">{t('on')}</Pill>
}
