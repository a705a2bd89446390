import { Fragment } from 'react'
import { Modal } from '../parts/Modal.tsx'
import { Kbd } from '../parts/Page.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './palette.module.css'
import { paletteWords } from './words-palette.ts'

const GROUPS = [
  {
    name: 'everywhere',
    keys: [
      [['Ctrl', 'K'], 'key_find'],
      [['?'], 'key_list'],
      [['Esc'], 'key_close'],
    ],
  },
  {
    name: 'in_inbox',
    keys: [
      [['J', 'K'], 'key_rows'],
      [['Enter'], 'key_open'],
      [['R'], 'key_resend'],
      [['/'], 'key_replies'],
      [['Alt', 'R'], 'key_resolve'],
    ],
  },
] as const

/** A dialog with all keyboard shortcuts. */
export function KeyList({ onClose }: { onClose(): void }) {
  const t = useWords(paletteWords)
  return (
    <Modal opened onClose={onClose} title={t('keys')}>
      {GROUPS.map(({ name, keys }) => (
        <Fragment key={name}>
          <h3 className={styles.keyGroup}>{t(name)}</h3>
          <dl className={styles.keys}>
            {keys.map(([pressed, says]) => (
              <div key={says}>
                <dt>{t(says)}</dt>
                <dd>
                  {pressed.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
      <p className={styles.note}>{t('by_place')}</p>
    </Modal>
  )
}
