import { Select, TagsInput, TextInput } from '@mantine/core'
import { FormDialog } from '../parts/FormDialog.tsx'
import { useApiForm } from '../parts/form.tsx'
import type { ContactFieldView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { CONTACT_FIELD_KINDS, type ContactFieldKind } from '../../core/vocabulary/contacts.ts'
import { useApi } from '../app/resources.ts'
import { useWords } from '../words/use-words.tsx'
import { settingsWords } from './words-settings.ts'

type Values = { key: string; label: string; kind: ContactFieldKind; choices: string[] }

/** A form that creates a custom field, or changes the parts of one that can change. */
export function FieldDialog({
  field,
  onClose,
}: {
  field: ContactFieldView | null
  onClose(): void
}) {
  const t = useWords(settingsWords)
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
    },
    done: t('field_saved'),
    onDone: onClose,
  })
  return (
    <FormDialog
      form={form}
      title={t(field === null ? 'add_field' : 'edit_field')}
      act={t('save_field')}
      onClose={onClose}
    >
      <TextInput
        label={t('label')}
        maxLength={CONTACT_LIMITS.fieldLabelChars}
        data-autofocus
        {...form.field('label')}
      />
      <TextInput
        label={t('key')}
        description={t('key_help')}
        dir="ltr"
        maxLength={CONTACT_LIMITS.fieldKeyChars}
        readOnly={field !== null}
        {...form.field('key')}
      />
      <Select
        label={t('kind')}
        description={t('kind_help')}
        allowDeselect={false}
        disabled={field !== null}
        data={CONTACT_FIELD_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        {...form.pick('kind')}
      />
      {form.watch('kind') === 'choice' && (
        <TagsInput
          label={t('choices')}
          description={t('choices_help')}
          maxTags={CONTACT_LIMITS.choices}
          {...form.pick('choices')}
        />
      )}
    </FormDialog>
  )
}
