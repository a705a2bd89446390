import type { ReactNode } from 'react'
import type { Tone } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { useFormat } from '../../words/format.ts'
import styles from './replies.module.css'

/** The time span of a whole reply, which contains its steps. */
export type Span = { begins: number; ms: number }

/** A line of the timeline: its title, its time or duration, and its place in the span. */
export function Step({
  title,
  at,
  durationMs,
  span,
  tone = 'accent',
  children,
}: {
  title: ReactNode
  at: string
  /** The duration. Without it the line is a moment and shows its time. */
  durationMs?: number | null
  span: Span
  tone?: Tone
  children?: ReactNode
}) {
  const format = useFormat()
  const isTimed = durationMs !== undefined && durationMs !== null
  return (
    <div className={styles.step}>
      <div className={styles.stepHead}>
        <h2 className={styles.stepTitle}>{title}</h2>
        <span className={styles.figure}>
          {isTimed ? format.took(durationMs) : <Time at={at} as="timeWithSeconds" />}
        </span>
        <span className={styles.bar} data-moment={durationMs === undefined} aria-hidden>
          <span data-tone={tone} style={placeOf(at, durationMs ?? 0, span)} />
        </span>
      </div>
      {children !== undefined && <div className={styles.stepBody}>{children}</div>}
    </div>
  )
}

function placeOf(at: string, durationMs: number, { begins, ms }: Span) {
  const from = Math.min(0.98, Math.max(0, (Date.parse(at) - begins) / ms))
  const width = Math.min(1 - from, Math.max(0.02, durationMs / ms))
  return { insetInlineStart: `${from * 100}%`, inlineSize: `${width * 100}%` }
}
