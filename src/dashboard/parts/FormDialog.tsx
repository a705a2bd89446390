import { Button, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useWords } from '../words/use-words.tsx'
import { FormFoot, type ApiForm } from './form.tsx'
import { Modal } from './Modal.tsx'
import styles from './parts.module.css'
import { partsWords } from './words.ts'

/** A dialog with one form: its fields, the button that submits it, and a button that closes it. */
export function FormDialog<Values extends FieldValues>({
  form,
  title,
  act,
  keep,
  size,
  onClose,
  children,
}: {
  form: ApiForm<Values>
  title: ReactNode
  act: ReactNode
  /** The label of the button that closes the dialog without sending; "Cancel" by default. */
  keep?: ReactNode
  size?: ModalProps['size']
  onClose(): void
  children: ReactNode
}) {
  const t = useWords(partsWords)
  return (
    <Modal opened {...(size !== undefined && { size })} onClose={onClose} title={title}>
      <form onSubmit={form.submit} noValidate className={styles.fields}>
        {children}
        <FormFoot form={form} act={act}>
          <Button onClick={onClose}>{keep ?? t('cancel')}</Button>
        </FormFoot>
      </form>
    </Modal>
  )
}
