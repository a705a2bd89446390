import { useMemo } from 'react'
import styles from './account.module.css'
import { qrModules } from './qr.ts'

/** Around the picture, as the standard wants it, in modules. */
const QUIET = 4

/** A text as a QR picture. */
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
