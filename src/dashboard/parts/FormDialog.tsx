import { Button, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useWords } from '../words/use-words.tsx'
import { type ApiForm, Form } from './form.tsx'
import { Modal } from './Modal.tsx'
import layout from './layout.module.css'
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
  act?: ReactNode
  /** The label of the button that closes the dialog without sending; "Cancel" by default. */
  keep?: ReactNode
  size?: ModalProps['size']
  onClose(): void
  children: ReactNode
}) {
  const t = useWords(partsWords)
  return (
    <Modal opened {...(size !== undefined && { size })} onClose={onClose} title={title}>
      <Form
        form={form}
        act={act}
        className={layout.fields}
        foot={<Button onClick={onClose}>{keep ?? t('cancel')}</Button>}
      >
        {children}
      </Form>
    </Modal>
  )
}
