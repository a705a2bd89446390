import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import type { IconName } from './icons.ts'
import styles from './parts.module.css'

/** What a state asks of whoever sees it: nothing, patience, a look, an act; or it is out of use. */
export type Tone = 'ok' | 'busy' | 'warn' | 'bad' | 'off' | 'accent'

const ICON_OF: Readonly<Record<Tone, IconName>> = {
  ok: 'ok',
  busy: 'progress',
  warn: 'warning',
  bad: 'failed',
  off: 'off',
  accent: 'sparkles',
}

/** How each of some states looks. */
export type Looks<State extends string> = Readonly<
  Record<State, { readonly tone: Tone; readonly icon?: IconName }>
>

/** A state: an outline of its own and a word, never colour alone. */
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
