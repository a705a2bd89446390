import styles from './charts.module.css'

type Phase = { key: string; label: string; ms: number; figure: string }

/** Where the time of one request went. It explains a machine, so it never mirrors; its figures do. */
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
