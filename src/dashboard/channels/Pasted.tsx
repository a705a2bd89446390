import { CopyButton } from '../parts/Code.tsx'
import layout from '../parts/layout.module.css'
import styles from './channels.module.css'

/** A value to enter elsewhere, with a button that copies it. */
export function Pasted({ label, value }: { label: string; value: string }) {
  return (
    <div className={styles.pasted}>
      <span className={layout.help}>{label}</span>
      <code dir="ltr">{value}</code>
      <CopyButton text={value} />
    </div>
  )
}
