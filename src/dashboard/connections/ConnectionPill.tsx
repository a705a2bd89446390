import type { ConnectionFigures } from '../../contract/dashboard/connection.ts'
import { useSession } from '../app/session.ts'
import { Pill } from '../parts/Pill.tsx'
import { useWords } from '../words/use-words.tsx'
import { connectionsWords } from './words.ts'

/**
 * The state of a connection: off, idle where the plan has no calls, failing when each call of the last 24 hours failed,
 * or on.
 */
export function ConnectionPill({
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
