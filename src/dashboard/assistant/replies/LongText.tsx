import type { ReactNode } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import styles from './replies.module.css'

/** A text from or to a model, collapsed at first. */
export function LongText({ label, text, end }: { label: string; text: string; end?: ReactNode }) {
  return (
    <details className={styles.part}>
      <summary>
        <span>{label}</span>
        {end !== undefined && <span className={styles.figure}>{end}</span>}
        <Icon name="chevron_down" size={14} />
      </summary>
      <pre dir="auto" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </details>
  )
}
