import type { HookShape } from '../../../contract/dashboard/hook-url.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Panel } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from './hook.module.css'
import { checkWords } from './words-checks.ts'

const CHECKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const

/**
 * The checks of a request in their order, with the result of the last one; before the first request the list is
 * collapsed.
 */
export function Checks({ shape }: { shape: HookShape | null }) {
  const t = useWords(checkWords)
  const stopped = shape?.stoppedAtCheck ?? null
  const isRepeat = shape?.answerStatus === 'duplicate'
  const list = (
    <ol className={styles.checks}>
      {CHECKS.map((check) => {
        const isHere = check === stopped && !isRepeat
        const isPassed = shape !== null && (stopped === null || check <= stopped) && !isHere
        return (
          <li key={check} data-state={isHere ? 'bad' : isPassed ? 'ok' : 'unknown'}>
            <Icon
              name={isHere ? 'failed' : isPassed ? 'ok' : 'progress'}
              size={16}
              label={t(isHere ? 'stopped' : isPassed ? 'passed' : 'not_looked_at')}
            />
            <span>{isHere ? t(shape!.answerStatus) : t(`check_${check}`)}</span>
          </li>
        )
      })}
    </ol>
  )
  return (
    <Panel title={t('title')}>
      {shape === null ? (
        <details>
          <summary>{t('before_first')}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </Panel>
  )
}
