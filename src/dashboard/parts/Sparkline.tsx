import styles from './charts.module.css'

const WIDTH = 88
const HEIGHT = 22

/**
 * A tiny bar chart without axes, with good and bad counts. They illustrate the number next to them and are hidden from
 * screen readers.
 */
export function Sparkline({ bars }: { bars: readonly { good: number; bad: number }[] }) {
  const top = Math.max(1, ...bars.map(({ good, bad }) => good + bad))
  const step = WIDTH / Math.max(1, bars.length)
  const scale = (HEIGHT - 2) / top
  return (
    <svg className="flip" width={WIDTH} height={HEIGHT} aria-hidden style={{ flexShrink: 0 }}>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className={styles.grid} />
      {bars.map(({ good, bad }, at) => (
        <g key={at}>
          <rect
            x={at * step}
            width={step * 0.7}
            y={HEIGHT - good * scale}
            height={good * scale}
            className={styles.good}
          />
          <rect
            x={at * step}
            width={step * 0.7}
            y={HEIGHT - (good + bad) * scale}
            height={bad * scale}
            className={styles.bad}
          />
        </g>
      ))}
    </svg>
  )
}
