import { Select } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContactView } from '../../contract/dashboard/contact.ts'
import { useApi } from '../app/resources.ts'
import { Ltr } from '../parts/Code.tsx'
import { useWords } from '../words/use-words.tsx'
import styles from './appointments.module.css'
import { bookWords } from './words-book.ts'

const SHOWN = '8'

/** A choice of a contact, by name, phone number in any format or e-mail address. */
export function CustomerPicker({
  problem,
  onChoose,
}: {
  problem: string | undefined
  onChoose(contactId: string | null): void
}) {
  const t = useWords(bookWords)
  const api = useApi()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<ContactView | null>(null)
  const q = typed.trim() === chosen?.name ? '' : typed.trim()
  const found = useQuery({
    ...api.get('contacts', { limit: SHOWN, q }),
    placeholderData: keepPreviousData,
  })
  const items = found.data?.items ?? []
  const known = new Map([...(chosen ? [chosen] : []), ...items].map((one) => [one.id, one]))
  const labelOf = ({ name, phone, rawPhone, email }: ContactView) =>
    name ?? phone ?? rawPhone ?? email ?? t('no_name')
  return (
    <Select
      label={t('customer')}
      placeholder={t('search_customer')}
      searchable
      clearable
      comboboxProps={{ withinPortal: true }}
      nothingFoundMessage={t('no_such_customer')}
      // The API has filtered the options already.
      filter={({ options }) => options}
      data={[...known.values()].map((one) => ({ value: one.id, label: labelOf(one) }))}
      renderOption={({ option }) => {
        const one = known.get(option.value)
        const phone = one?.phone ?? one?.rawPhone ?? null
        return (
          <span className={styles.option}>
            <bdi>{option.label}</bdi>
            {phone !== null && phone !== option.label && <Ltr>{phone}</Ltr>}
          </span>
        )
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      value={chosen?.id ?? null}
      error={problem}
      onChange={(id) => {
        setChosen(id === null ? null : (known.get(id) ?? null))
        onChoose(id)
      }}
    />
  )
}
