import styles from './people.module.css'

/** A progress bar, shown below its text. */
export function ProgressBar({
  value,
  limit,
  label,
}: {
  value: number
  limit: number
  label: string
}) {
  const share = limit === 0 ? 0 : Math.min(1, value / limit)
  return (
    <div className={styles.progress}>
      <span role="status">{label}</span>
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
