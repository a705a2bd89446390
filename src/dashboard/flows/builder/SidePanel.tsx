import { CloseButton } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import type { LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import { Icon } from '../../parts/Icon.tsx'
import type { IconName } from '../../parts/icons.ts'
import { partsWords } from '../../parts/words.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'

/**
 * The frame of a panel next to the map (on phones above the list): title, acts, content and a button that closes it.
 * Escape closes it.
 */
export function SidePanel({
  icon,
  title,
  kind,
  label,
  problems = [],
  acts,
  foot,
  children,
  onClose,
}: {
  icon: IconName
  title: ReactNode
  kind?: ReactNode
  /** The accessible name; a change of it moves the focus to the panel's heading. */
  label: string
  /** Problems of the panel's form, shown above it. */
  problems?: readonly LocalizedProblem[]
  acts?: ReactNode
  foot?: ReactNode
  children: ReactNode
  onClose(): void
}) {
  const t = useWords(partsWords)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [label])
  return (
    <aside
      className={styles.panel}
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose()
      }}
    >
      <header className={styles.panelHead}>
        <span className={styles.nodeIcon}>
          <Icon name={icon} />
        </span>
        <div className={layout.grow}>
          <h2 ref={heading} tabIndex={-1} className={styles.panelTitle}>
            {title}
          </h2>
          {kind !== undefined && <div className={styles.help}>{kind}</div>}
        </div>
        {acts}
        <CloseButton aria-label={t('close')} onClick={onClose} />
      </header>
      <div className={styles.panelBody}>
        {problems.map(({ text, isWarning, field, rule }) => (
          <p key={`${field}${rule}${text}`} className={isWarning ? styles.warn : layout.bad}>
            <Icon name={isWarning ? 'warning' : 'failed'} size={14} /> {text}
          </p>
        ))}
        {children}
      </div>
      {foot !== undefined && <footer className={styles.panelFoot}>{foot}</footer>}
    </aside>
  )
}
