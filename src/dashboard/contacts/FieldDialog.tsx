import { Button, Select, TagsInput, TextInput } from '@mantine/core'
import { Controller } from 'react-hook-form'
import type { ContactFieldView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../limits/contacts.ts'
import { CONTACT_FIELD_KINDS, type ContactFieldKind } from '../../vocabulary/contacts.ts'
import { useApi } from '../app/resources.ts'
import { FormFoot, useApiForm } from '../parts/form.tsx'
import { Modal } from '../parts/Modal.tsx'
import { sayDone } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './contacts.module.css'
import { settingsWords } from './words-settings.ts'

type Values = { key: string; label: string; kind: ContactFieldKind; choices: string[] }

/** Makes a field, or changes what may change of it. */
export function FieldDialog({
  field,
  onClose,
}: {
  field: ContactFieldView | null
  onClose(): void
}) {
  const t = useWords(settingsWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const form = useApiForm<Values>({
    values: {
      key: field?.key ?? '',
      label: field?.label ?? '',
      kind: field?.kind ?? 'text',
      choices: field?.choices ?? [],
    },
    onSubmit: async ({ key, label, kind, choices }) => {
      const given = kind === 'choice' ? choices : []
      await (field === null
        ? api.post('contact-fields', { key, label, kind, choices: given })
        : api.patch(
            'contact-fields/:fieldId',
            { fieldId: field.id },
            { label, ...(kind === 'choice' && { choices }) },
          ))
      sayDone(t('field_saved'))
      onClose()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(field === null ? 'add_field' : 'edit_field')}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <form onSubmit={form.submit} noValidate className={styles.form}>
        <TextInput
          label={t('label')}
          maxLength={CONTACT_LIMITS.fieldLabelChars}
          data-autofocus
          error={form.errorOf('label')}
          {...form.register('label')}
        />
        <TextInput
          label={t('key')}
          description={t('key_help')}
          dir="ltr"
          maxLength={CONTACT_LIMITS.fieldKeyChars}
          readOnly={field !== null}
          error={form.errorOf('key')}
          {...form.register('key')}
        />
        <Controller
          control={form.control}
          name="kind"
          render={({ field: given }) => (
            <Select
              label={t('kind')}
              description={t('kind_help')}
              allowDeselect={false}
              disabled={field !== null}
              data={CONTACT_FIELD_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
              error={form.errorOf('kind')}
              {...given}
            />
          )}
        />
        {form.watch('kind') === 'choice' && (
          <Controller
            control={form.control}
            name="choices"
            render={({ field: given }) => (
              <TagsInput
                label={t('choices')}
                description={t('choices_help')}
                maxTags={CONTACT_LIMITS.choices}
                error={form.errorOf('choices')}
                {...given}
              />
            )}
          />
        )}
        <FormFoot form={form} act={t('save_field')}>
          <Button onClick={onClose}>{parts('cancel')}</Button>
        </FormFoot>
      </form>
    </Modal>
  )
}
