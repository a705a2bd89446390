import type { ReactNode } from 'react'
import styles from './tag.module.css'

/** A small word in a hairline box next to a name: "test". */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>
}
