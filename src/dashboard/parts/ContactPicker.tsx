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

const words = defineWords({
  en: {
    search: 'Name, email, or phone in any form',
    nobody: 'Nobody matches.',
    unnamed: 'Unnamed contact',
  },
  ar: {
    search: 'الاسم أو البريد أو الهاتف بأي صيغة',
    nobody: 'لا نتائج مطابقة.',
    unnamed: 'جهة اتصال بلا اسم',
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
  const api = useApi()
  const [text, setText] = useState('')
  const [picked, setPicked] = useState<string | null>(null)
  const [q] = useDebouncedValue(text.trim(), TYPING_MS)
  const isSearched = q.length >= SEARCH_LIMITS.minLetters
  const { data } = useQuery({
    ...api.get('contacts', { limit: '20', ...(isSearched && { q }) }),
    placeholderData: keepPreviousData,
  })
  const contacts = (data?.items ?? []).filter((contact) => without?.(contact) !== true)
  const nameOf = (contact: ContactView) =>
    contact.name ?? contact.phone ?? contact.email ?? t('unnamed')
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
      value={picked}
      filter={({ options }) => options}
      nothingFoundMessage={t('nobody')}
      data={contacts.map((contact) => ({ value: contact.id, label: nameOf(contact) }))}
      renderOption={({ option }) => {
        const contact = contacts.find(({ id }) => id === option.value)
        return (
          <span className={styles.option}>
            <bdi>{option.label}</bdi>
            {contact?.phone != null && contact.name !== null && <Phone phone={contact.phone} />}
          </span>
        )
      }}
      onChange={(id) => {
        const contact = contacts.find((one) => one.id === id) ?? null
        setPicked(clearsItself ? null : id)
        if (clearsItself) setText('')
        onPick(contact)
      }}
    />
  )
}
