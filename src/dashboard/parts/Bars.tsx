import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { useFormat } from '../words/format.ts'
import styles from './charts.module.css'

/** A bar of a chart, with its texts. */
export type Bar = {
  key: string
  /** The text in the table and, where `isLabelled`, below the bar. */
  label: string
  isLabelled?: boolean
  /** Successes, which are drawn below failures. */
  good: number
  bad: number
  /** The exact figures as a text. */
  tip: string
}

type Chart = {
  label: string
  bars: readonly Bar[]
  /** The headings of the table: time, good, and bad unless nothing can fail. */
  heads: readonly [ReactNode, ReactNode, ReactNode?]
}

const HEIGHT = 150
const STEP = 24
const WIDTH = 17

/**
 * Bars over time, with failures stacked on top and hatched. The exact figures are shown for the bar below the pointer,
 * for the bar that the arrow keys choose, and in a table for screen readers. Time runs in the direction of reading.
 */
export function Bars({
  label,
  bars,
  heads,
  isLow = false,
}: Chart & {
  /** A quarter of the usual height, for a chart between other figures. */
  isLow?: boolean
}) {
  const [active, setActive] = useState<number | null>(null)
  const { number } = useFormat()
  const hatch = useId()
  const top = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const scale = (HEIGHT - 12) / top
  const move = (event: KeyboardEvent) => {
    const isBackward = document.documentElement.dir === 'rtl'
    const step = { ArrowRight: isBackward ? -1 : 1, ArrowLeft: isBackward ? 1 : -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    setActive((at) => Math.min(bars.length - 1, Math.max(0, (at ?? bars.length) + step)))
  }
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientX - box.x) / box.width
    const isBackward = document.documentElement.dir === 'rtl'
    setActive(
      Math.min(
        bars.length - 1,
        Math.max(0, Math.floor((isBackward ? 1 - share : share) * bars.length)),
      ),
    )
  }
  const shown = active === null ? undefined : bars[active]
  return (
    <figure className={styles.chart}>
      <svg
        className={`flip ${styles.bars}`}
        data-low={isLow}
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        tabIndex={0}
        onKeyDown={move}
        onPointerMove={point}
        onPointerLeave={() => setActive(null)}
        onBlur={() => setActive(null)}
      >
        <Hatch id={hatch} />
        {[0.5, 1].map((share) => (
          <line
            key={share}
            x1="0"
            x2={bars.length * STEP}
            y1={HEIGHT - top * scale * share}
            y2={HEIGHT - top * scale * share}
            className={styles.grid}
          />
        ))}
        {bars.map((bar, at) => (
          <Column
            key={bar.key}
            bar={bar}
            at={at}
            scale={scale}
            isActive={at === active}
            hatch={hatch}
          />
        ))}
      </svg>
      {!isLow && (
        <span className={styles.top} aria-hidden>
          {number(top)}
        </span>
      )}
      <Axis bars={bars} />
      <div className={styles.tip} role="status">
        {shown?.tip}
      </div>
      <Figures label={label} bars={bars} heads={heads} />
    </figure>
  )
}

/** The labels below the bars. */
function Axis({ bars }: Pick<Chart, 'bars'>) {
  return (
    <div className={styles.axis} aria-hidden>
      {bars.map(({ key, label: name, isLabelled = false }, at) => (
        <span key={key} data-edge={at === 0 ? 'start' : at === bars.length - 1 ? 'end' : undefined}>
          {isLabelled && name}
        </span>
      ))}
    </div>
  )
}

/** The hatch pattern of failures, which keeps them distinguishable without colour. */
function Hatch({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={id}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="6" height="6" className={styles.bad} />
        <line x1="0" y1="0" x2="0" y2="6" className={styles.hatch} />
      </pattern>
    </defs>
  )
}

function Column({
  bar: { good, bad },
  at,
  scale,
  isActive,
  hatch,
}: {
  bar: Bar
  at: number
  scale: number
  isActive: boolean
  hatch: string
}) {
  const x = at * STEP + (STEP - WIDTH) / 2
  return (
    <g data-active={isActive} className={styles.bar}>
      <rect x={at * STEP} width={STEP} height={HEIGHT} className={styles.column} />
      <rect
        x={x}
        width={WIDTH}
        y={HEIGHT - good * scale}
        height={good * scale}
        className={styles.good}
      />
      <rect
        x={x}
        width={WIDTH}
        y={HEIGHT - (good + bad) * scale}
        height={bad * scale}
        fill={`url(#${hatch})`}
      />
    </g>
  )
}

/** The same data as a table, for screen readers. */
function Figures({ label, bars, heads }: Chart) {
  const { number } = useFormat()
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={at} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ key, label: name, good, bad }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td>{number(good)}</td>
              {heads.length > 2 && <td>{number(bad)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
