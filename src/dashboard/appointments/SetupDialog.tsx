import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { Confirm } from '../parts/Dialogs.tsx'
import { Modal } from '../parts/Modal.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './setup.module.css'
import { setupWords } from './words-setup.ts'

/** A dialog in which one thing of the settings is made or changed. */
export function SetupDialog({
  title,
  onClose,
  children,
}: {
  title: ReactNode
  onClose(): void
  children: ReactNode
}) {
  return (
    <Modal opened size="lg" title={title} onClose={onClose}>
      <div className={styles.form}>{children}</div>
    </Modal>
  )
}

/** Deletes a thing of the settings, once it is said what follows. */
export function DeleteButton({
  name,
  why,
  onDelete,
  onDone,
}: {
  name: string
  why: ReactNode
  onDelete(): Promise<unknown>
  onDone(): void
}) {
  const t = useWords(setupWords)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('delete')}</Button>
      <Confirm
        isOpen={isAsking}
        isGrave
        title={t('delete_title', { name })}
        act={t('delete_act', { name })}
        send={async () => {
          await onDelete()
          sayDone(t('deleted', { name }))
          onDone()
        }}
        onClose={() => setAsking(false)}
      >
        {why}
      </Confirm>
    </>
  )
}
