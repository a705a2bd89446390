import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldValues, Path } from 'react-hook-form'
import { useMay } from '../app/session.ts'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { DurationField } from '../parts/DurationField.tsx'
import { FormFoot, type ApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './setup.module.css'
import { setupWords } from './words-setup.ts'

type Deletion = {
  name: string
  why: ReactNode
  /** @throws ApiError */
  send(): Promise<unknown>
}

/** A dialog that creates, changes or deletes an object of the settings; Agents see it read-only. */
export function SetupForm<Values extends FieldValues>({
  title,
  form,
  deletion,
  onClose,
  children,
}: {
  title: ReactNode
  form: ApiForm<Values>
  /** The deletion of the object; null while a new one is created. */
  deletion: Deletion | null
  onClose(): void
  children: ReactNode
}) {
  const { setUp } = useMay()
  return (
    <Modal opened size="lg" title={title} onClose={onClose}>
      <form onSubmit={form.submit} className={styles.form} noValidate>
        <fieldset disabled={!setUp} className={styles.plain}>
          {children}
        </fieldset>
        {setUp && (
          <FormFoot form={form}>
            {deletion && <DeleteButton {...deletion} onDone={onClose} />}
          </FormFoot>
        )}
      </form>
    </Modal>
  )
}

/** A button that deletes an object of the settings after a confirmation. */
function DeleteButton({ name, why, send, onDone }: Deletion & { onDone(): void }) {
  const t = useWords(setupWords)
  return (
    <ConfirmButton
      label={t('delete')}
      isGrave
      title={t('delete_title', { name })}
      act={t('delete_act', { name })}
      send={async () => {
        await send()
        onDone()
      }}
      done={t('deleted', { name })}
    >
      {why}
    </ConfirmButton>
  )
}

type Named = { name: string; nameAr: string }

/** Fields for a name in English and in Arabic. */
export function NameFields<Values extends Named>({ form }: { form: ApiForm<Values> }) {
  const t = useWords(setupWords)
  return (
    <div className={styles.row}>
      <TextInput label={t('name_en')} {...form.field('name' as Path<Values>)} />
      <TextInput label={t('name_ar')} dir="rtl" {...form.field('nameAr' as Path<Values>)} />
    </div>
  )
}

type Minutes = 'minutes' | 'stepMin' | 'beforeMin' | 'afterMin' | 'minNoticeMin' | 'cancelUntilMin'

/** A field for a duration in minutes. */
export function MinutesField<Values extends FieldValues>({
  form,
  name,
  max,
}: {
  form: ApiForm<Values>
  name: Path<Values> & Minutes
  max: number
}) {
  const t = useWords(setupWords)
  return <DurationField label={t(name)} max={max} {...form.pick(name)} />
}
