import type { ConnectionView } from '../../contract/dashboard/connection.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'
import { Ltr } from '../parts/Code.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './connections.module.css'
import { connectionsWords } from './words.ts'

/** Returns the key of the text for a kind of authentication. */
export function authWord(kind: ConnectionAuthKind) {
  return kind === 'none' ? 'none_auth' : kind
}

/** The kind of a credential and its last four characters, which are all that the API returns of it. */
export function Credential({ auth }: { auth: ConnectionView['auth'] }) {
  const t = useWords(connectionsWords)
  return (
    <span className={styles.credential}>
      <span>{t(authWord(auth.kind))}</span>
      {auth.name !== null && <Ltr>{auth.name}</Ltr>}
      {auth.lastFour !== null && <Ltr>…{auth.lastFour}</Ltr>}
    </span>
  )
}
