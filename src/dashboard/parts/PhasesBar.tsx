import styles from './charts.module.css'

type Phase = { key: string; label: string; ms: number; figure: string }

/**
 * The phases of one request on a time axis. The bar always runs from left to right; its figures follow the language.
 */
export function PhasesBar({ phases, total }: { phases: readonly Phase[]; total: string }) {
  const sum = Math.max(
    1,
    phases.reduce((all, { ms }) => all + ms, 0),
  )
  return (
    <div>
      <div className={styles.phases} dir="ltr" aria-hidden>
        {phases.map(({ key, ms }) => (
          <span key={key} style={{ flexGrow: Math.max(ms / sum, 0.01) }} />
        ))}
      </div>
      <div className={styles.phaseFigures}>
        {phases.map(({ key, label, figure }) => (
          <span key={key}>
            {label} <bdi>{figure}</bdi>
          </span>
        ))}
        <strong>{total}</strong>
      </div>
    </div>
  )
}
