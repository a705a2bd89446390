import styles from './replies.module.css'

/** What a model wrote or was told, folded away until somebody wants it. */
export function LongText({ label, text }: { label: string; text: string }) {
  return (
    <details className={styles.part}>
      <summary>{label}</summary>
      <pre dir="auto" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </details>
  )
}
