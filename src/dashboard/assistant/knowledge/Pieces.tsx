import type { ReactNode } from 'react'
import layout from '../../parts/layout.module.css'
import styles from './knowledge.module.css'

/** A passage of a source, with its heading and the text that is shown about it. */
export type Piece = { key: string; heading: string | null; body: string; about?: ReactNode }

/** Passages of sources, as the assistant gets them. */
export function Pieces({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <ol className={styles.pieces}>
      {pieces.map(({ key, heading, body, about }) => (
        <li key={key} className={styles.piece}>
          {heading !== null && <div className={styles.pieceHead}>{heading}</div>}
          {about !== undefined && <div className={layout.small}>{about}</div>}
          <p className={styles.pieceBody}>{body}</p>
        </li>
      ))}
    </ol>
  )
}
