import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr.module.css'

/** The quiet zone that the standard requires around the code, in modules. */
const QUIET = 4

/** The size in modules, with the quiet zone, from which a code is drawn larger. */
const LARGE_FROM = 45 + 2 * QUIET

/** A text as a QR code. A long text gets a larger code, so that a phone can read it. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, { ecc: 'M', border: QUIET }), [text])
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className={styles.qr}
      data-large={size > LARGE_FROM}
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
