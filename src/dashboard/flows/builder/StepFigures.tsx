import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../app/resources.ts'
import { useMay } from '../../app/session.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from './map.module.css'
import { builderWords } from '../words-builder.ts'
import { useBuilderContext } from '../builder-context.ts'

/**
 * The numbers of runs of the published version that reached a step, failed at it and wait at it, which show where
 * customers drop out.
 */
export function StepFigures({ stepId }: { stepId: string }) {
  const t = useWords(builderWords)
  const { number } = useFormat()
  const api = useApi()
  const { setUp } = useMay()
  const { flowId } = useBuilderContext()
  const { data } = useQuery({
    ...api.get('flows/:flowId/steps/counts', { flowId }),
    enabled: setUp,
  })
  const count = data?.steps.find((one) => one.stepId === stepId)
  if (data === undefined || count === undefined) return null
  const { entered, failed, waiting } = count
  const summary = t(data.areAllCounted ? 'came_here' : 'came_here_of_latest', {
    n: entered,
    version: data.number ?? 0,
    failed: number(failed),
    waiting: number(waiting),
  })
  return (
    <span className={styles.figures} title={summary}>
      <span aria-hidden>{number(entered)}</span>
      {failed > 0 && (
        <span aria-hidden className={layout.bad}>
          <Icon name="failed" size={11} /> {number(failed)}
        </span>
      )}
      <span className="visually-hidden">{summary}</span>
    </span>
  )
}
