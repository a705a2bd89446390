import { useWords } from '../words/use-words.tsx'
import styles from './broadcasts.module.css'
import { draftWords } from './words-draft.ts'

const STEPS = ['step_message', 'step_audience', 'step_check'] as const

/** The steps on the way to sending a broadcast, with the current one marked. */
export function Steps({ at }: { at: 0 | 1 | 2 }) {
  const t = useWords(draftWords)
  return (
    <ol className={styles.steps} aria-label={t('steps')}>
      {STEPS.map((step, place) => (
        <li key={step} aria-current={place === at ? 'step' : undefined}>
          <span className={styles.number} aria-hidden>
            {place + 1}
          </span>
          {t(step)}
        </li>
      ))}
    </ol>
  )
}
