import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** A quiet word in a hairline box beside a name: "test". */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>
}
