import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import styles from './parts.module.css'

/**
 * The tone of a state says what it requires of the member: nothing (`ok`), patience (`busy`), attention (`warn`) or an
 * act (`bad`). The tone `off` marks what is not in use, and `accent` what is special.
 */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'off' | 'accent'

const ICON_OF: Readonly<Record<Tone, IconName>> = {
  ok: 'ok',
  busy: 'progress',
  warn: 'warning',
  bad: 'failed',
  off: 'off',
  accent: 'sparkles',
}

/** The tone and icon of each state. */
export type Looks<State extends string> = Readonly<
  Record<State, { readonly tone: Tone; readonly icon?: IconName }>
>

/** A state, shown by an icon and a word, never by colour alone. */
export function Pill({
  tone,
  icon = ICON_OF[tone],
  children,
}: {
  tone: Tone
  icon?: IconName
  children: ReactNode
}) {
  return (
    <span className={`${styles.pill} ${styles[tone]}`}>
      <Icon name={icon} size={14} className={icon === 'progress' ? styles.turning : undefined} />
      {children}
    </span>
  )
}
