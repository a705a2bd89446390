import type { ReactNode } from 'react'
import styles from './people.module.css'

/** A progress bar, shown below its text; `end` is a second text at the end of that line. */
export function ProgressBar({
  value,
  limit,
  label,
  end,
}: {
  value: number
  limit: number
  label: string
  end?: ReactNode
}) {
  const share = limit === 0 ? 0 : Math.min(1, value / limit)
  return (
    <div className={styles.progress}>
      <div className={styles.progressText}>
        <span role="status">{label}</span>
        {end}
      </div>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(value, limit)}
      >
        <div className={styles.barFill} style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
