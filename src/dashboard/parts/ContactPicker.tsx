import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { useApi } from '../app/resources.ts'
import { defineWords } from '../../core/words/define-words.ts'
import { useWords } from '../words/use-words.tsx'
import { Phone } from './Phone.tsx'
import styles from './people.module.css'
import { useContactName } from './use-contact-name.ts'
import { partsWords } from './words.ts'

const words = defineWords({
  en: {
    search: 'Name, email, or phone in any form',
  },
  ar: {
    search: 'الاسم أو البريد أو الهاتف بأي صيغة',
  },
})

const TYPING_MS = 250

/** A choice of a contact, by name, number or other data. */
export function ContactPicker({
  label,
  description,
  error,
  without,
  clearsItself = false,
  onPick,
}: {
  label: string
  description?: string
  error?: string | undefined
  /** Says which contacts cannot be chosen. */
  without?: (contact: ContactView) => boolean
  /** Clears the field after each choice, for choosing several contacts. */
  clearsItself?: boolean
  onPick(contact: ContactView | null): void
}) {
  const t = useWords(words)
  const parts = useWords(partsWords)
  const api = useApi()
  const [text, setText] = useState('')
  const [picked, setPicked] = useState<ContactView | null>(null)
  const nameOf = useContactName()
  // After a choice the field shows the name of the contact, which is no search text.
  const typed = picked !== null && text === nameOf(picked) ? '' : text.trim()
  const [q] = useDebouncedValue(typed, TYPING_MS)
  const isSearched = q.length >= SEARCH_LIMITS.minLetters
  const list = useQuery({
    ...api.get('contacts', { limit: '20', ...(isSearched && { q }) }),
    placeholderData: keepPreviousData,
  })
  const found = (list.data?.items ?? []).filter((contact) => without?.(contact) !== true)
  // The chosen contact stays among the options, as the field shows its name.
  const contacts = new Map([...(picked ? [picked] : []), ...found].map((one) => [one.id, one]))
  return (
    <Select
      label={label}
      description={description}
      error={error}
      placeholder={t('search')}
      searchable
      clearable
      searchValue={text}
      onSearchChange={setText}
      value={picked?.id ?? null}
      filter={({ options }) => options}
      nothingFoundMessage={
        list.isError
          ? parts('could_not_be_loaded')
          : parts(list.isPending ? 'loading' : 'nothing_matches')
      }
      data={[...contacts.values()].map((contact) => ({
        value: contact.id,
        label: nameOf(contact),
      }))}
      renderOption={({ option }) => {
        const contact = contacts.get(option.value)
        const phone = contact?.phone ?? contact?.rawPhone ?? null
        return (
          <span className={styles.option}>
            <bdi>{option.label}</bdi>
            {phone !== null && phone !== option.label && <Phone phone={phone} />}
          </span>
        )
      }}
      onChange={(id) => {
        const contact = contacts.get(id ?? '') ?? null
        setPicked(clearsItself ? null : contact)
        if (clearsItself) setText('')
        onPick(contact)
      }}
    />
  )
}
