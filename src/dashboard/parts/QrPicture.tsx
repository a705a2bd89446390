import { useMemo } from 'react'
import styles from './qr.module.css'
import { qrModules } from './qr.ts'

/** Around the picture, as the standard wants it, in modules. */
const QUIET = 4

/** In modules. */
const LARGE_FROM = 45

/** A text as a QR picture; a long one is drawn larger, so that a phone can read it. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const modules = useMemo(() => qrModules(text), [text])
  const size = modules.length + 2 * QUIET
  const path = modules
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')),
    )
    .join('')
  return (
    <svg
      className={styles.qr}
      data-large={modules.length > LARGE_FROM}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className={styles.qrGround} />
      <path d={path} className={styles.qrInk} />
    </svg>
  )
}
