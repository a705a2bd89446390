import type { ConnectionFigures } from '../../contract/dashboard/connection.ts'
import { useSession } from '../app/session.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { connectionsWords } from './words.ts'

/** Whether a connection is called, and whether each of its calls of the last 24 hours failed. */
export function OnPill({
  isOn,
  figures,
}: {
  isOn: boolean
  figures: Pick<ConnectionFigures, 'calls' | 'failed'> | undefined
}) {
  const t = useWords(connectionsWords)
  const { developer: isInPlan } = useSession().account.features
  if (!isOn) return <Pill tone="off">{t('off')}</Pill>
  if (!isInPlan) return <Pill tone="off">{t('idle')}</Pill>
  const isFailing = figures !== undefined && figures.calls > 0 && figures.failed === figures.calls
  return isFailing ? <Pill tone="warn">{t('failing')}</Pill> : <Pill tone="ok">{t('on')}</Pill>
}
