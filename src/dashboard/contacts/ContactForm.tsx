import { Button, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageButton } from '../parts/PageLink.tsx'
import { useGo } from '../app/pages.ts'
import { type ApiForm, Form, useApiForm } from '../parts/form.tsx'
import type { ContactFieldView, ContactView } from '../../contract/dashboard/contact.ts'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import { LANGUAGES } from '../../core/vocabulary/hooks.ts'
import { useApi, type Api } from '../app/resources.ts'
import { ApiError } from '../app/api.ts'
import { useChosenCountry } from '../parts/use-chosen-country.ts'
import { TimeField } from '../parts/TimeField.tsx'
import { PhoneField } from '../parts/PhoneField.tsx'
import { Modal } from '../parts/Modal.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import {
  toChanges,
  toNewContact,
  toValues,
  type ContactValues,
  type ResolvedValues,
} from './contact-values.ts'
import layout from '../parts/layout.module.css'
import { tagsQuery } from './queries.ts'
import { contactsWords } from './words.ts'

/** A dialog with the form of a new or existing contact. An emptied value is deleted. */
export function ContactForm({
  contact,
  onMerge,
  onClose,
}: {
  /** Null for a new contact. */
  contact: ContactView | null
  /** Merges the contact with the one that already has the typed number. Agents cannot merge. */
  onMerge?: ((contactId: string) => void) | undefined
  onClose(): void
}) {
  const t = useWords(contactsWords)
  const parts = useWords(partsWords)
  const api = useApi()
  const go = useGo()
  const { data: fields } = useQuery(api.items('contact-fields'))
  // The state when the form was opened: a flow or a colleague may change the contact meanwhile.
  const [before] = useState(contact)
  const countryOf = useChosenCountry()
  const [holderId, setHolderId] = useState<string | null>(null)
  const form = useApiForm<ContactValues>({
    values: toValues(before),
    onSubmit: async (values) => {
      const country = countryOf(values.country)
      setHolderId(null)
      const saved = await save(api, before, { ...values, country }).catch((error: unknown) => {
        setHolderId(holderOf(error))
        throw error
      })
      onClose()
      if (contact !== null) return toastSuccess(t('saved'))
      return toastSuccess(t('created'), {
        label: t('open'),
        run: () => void go('contacts/$contact', { contact: saved.id }),
      })
    },
  })
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t(contact === null ? 'form_new' : 'form_edit')}
    >
      <Form
        form={form}
        act={t(contact === null ? 'add' : 'save')}
        className={layout.fields}
        foot={
          <>
            <Button onClick={onClose}>{contact === null ? t('add_keep') : parts('cancel')}</Button>
            {holderId !== null && (
              <PageButton to="contacts/$contact" params={{ contact: holderId }} onClick={onClose}>
                {t('open_holder')}
              </PageButton>
            )}
            {holderId !== null && contact !== null && onMerge && (
              <Button onClick={() => onMerge(holderId)}>{t('merge_holder')}</Button>
            )}
          </>
        }
      >
        <Known form={form} />
        {(fields ?? [])
          .filter(({ isArchived }) => !isArchived)
          .map((field) => (
            <CustomField key={field.id} form={form} field={field} />
          ))}
      </Form>
    </Modal>
  )
}

/** Returns the contact that already has the refused number, or null for another error. */
function holderOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.reason !== 'contact_has_number') return null
  const { contactId } = error.params
  return typeof contactId === 'string' ? contactId : null
}

function save(api: Api, contact: ContactView | null, values: ResolvedValues) {
  if (contact === null) return api.post('contacts', toNewContact(values))
  return api.patch('contacts/:contactId', { contactId: contact.id }, toChanges(contact, values))
}

function Known({ form }: { form: ApiForm<ContactValues> }) {
  const t = useWords(contactsWords)
  const { data: tags = [] } = useQuery(tagsQuery(useApi()))
  return (
    <>
      <TextInput
        label={t('name')}
        data-autofocus
        maxLength={CONTACT_LIMITS.nameChars}
        {...form.field('name')}
      />
      <PhoneField form={form} name="phone" label={t('phone')} />
      <TextInput label={t('email')} dir="ltr" type="email" {...form.field('email')} />
      <Select
        label={t('language')}
        placeholder={t('not_known')}
        clearable
        data={LANGUAGES.map((value) => ({ value, label: t(value) }))}
        {...form.pick('language')}
      />
      <TagsInput
        label={t('tags')}
        description={t('tags_help')}
        data={tags}
        maxTags={CONTACT_LIMITS.tags}
        {...form.pick('tags')}
      />
    </>
  )
}

function CustomField({ form, field }: { form: ApiForm<ContactValues>; field: ContactFieldView }) {
  const t = useWords(contactsWords)
  const name = `fields.${field.key}` as const
  const shared = { label: field.label, error: form.errorOf(name) }
  if (field.kind === 'choice' || field.kind === 'yes_no') {
    const data =
      field.kind === 'choice'
        ? field.choices.map((value) => ({ value, label: value }))
        : (['yes', 'no'] as const).map((value) => ({ value, label: t(value) }))
    return (
      <Select {...shared} placeholder={t('empty')} clearable data={data} {...form.pick(name)} />
    )
  }
  if (field.kind === 'date') {
    const { value, ...picked } = form.pick(name)
    return <TimeField form="day" label={field.label} {...picked} value={value ?? ''} />
  }
  return (
    <TextInput
      {...shared}
      inputMode={field.kind === 'number' ? 'decimal' : undefined}
      maxLength={CONTACT_LIMITS.fieldValueChars}
      {...form.register(name)}
    />
  )
}
