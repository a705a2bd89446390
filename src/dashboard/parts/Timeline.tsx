import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import layout from './layout.module.css'
import styles from './parts.module.css'
import type { Tone } from './Pill.tsx'

/** A moment of a timeline, with its mark and its content. */
export type Moment = {
  key: string
  tone: Tone
  icon: IconName
  content: ReactNode
  /** The moment is in the future. */
  isPlanned?: boolean
}

/** Past moments, oldest first, followed by the planned ones. */
export function Timeline({ label, moments }: { label: string; moments: readonly Moment[] }) {
  return (
    <ol className={layout.plainList} aria-label={label}>
      {moments.map(({ key, tone, icon, content, isPlanned = false }) => (
        <li key={key} className={styles.timelineItem} data-planned={isPlanned}>
          <span className={`${styles.timelineMark} ${isPlanned ? '' : styles[tone]}`}>
            {!isPlanned && <Icon name={icon} size={14} />}
          </span>
          <div>{content}</div>
        </li>
      ))}
    </ol>
  )
}
