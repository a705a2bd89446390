import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { FieldValues, Path } from 'react-hook-form'
import { CONTACT_LIMITS } from '../../core/limits/contacts.ts'
import type { Country } from '../../core/vocabulary/countries.ts'
import { useApi } from '../app/resources.ts'
import { useCountryName } from '../words/use-country-name.ts'
import { useWords } from '../words/use-words.tsx'
import type { ChosenCountry } from './chosen-country.ts'
import { CountrySelect } from './CountrySelect.tsx'
import type { ApiForm } from './form.tsx'
import layout from './layout.module.css'
import styles from './people.module.css'
import { Phone } from './Phone.tsx'
import { useChosenCountry } from './use-chosen-country.ts'
import { phoneWords } from './words-phone.ts'

const TYPING_MS = 250

/**
 * A field for a phone number. Next to it are the country for numbers without a country code, and the number as it is
 * read.
 */
export function PhoneField<Values extends FieldValues & { country: ChosenCountry }>({
  form,
  name,
  label,
  isNeeded = false,
  hasFocus = false,
}: {
  /** The form, whose field `country` is the country of the number. */
  form: ApiForm<Values>
  name: Path<Values>
  label: string
  /** Accepts only a number to which messages can be sent. */
  isNeeded?: boolean
  /** Focuses the field, as the first one of a dialog. */
  hasFocus?: boolean
}) {
  const nameOf = useCountryName()
  const countryOf = useChosenCountry()
  const [typed, chosen] = form.watch([name, 'country' as Path<Values>]) as [string, ChosenCountry]
  const country = countryOf(chosen)
  return (
    <div className={styles.phoneField}>
      <CountrySelect {...form.pick('country' as Path<Values>)} value={country} />
      <TextInput
        label={label}
        description={
          <Reading typed={typed} country={country} isNeeded={isNeeded} nameOf={nameOf} />
        }
        type="tel"
        data-autofocus={hasFocus || undefined}
        classNames={{ input: layout.ltr! }}
        maxLength={CONTACT_LIMITS.rawPhoneChars}
        {...form.field(name)}
      />
    </div>
  )
}

/** The number as the service reads it, because the numbering plan of all countries is too large for a browser. */
function Reading({
  typed,
  country,
  isNeeded,
  nameOf,
}: {
  typed: string
  country: Country | null
  isNeeded: boolean
  nameOf(country: Country): string
}) {
  const t = useWords(phoneWords)
  const api = useApi()
  const [phone] = useDebouncedValue(typed.trim(), TYPING_MS)
  const { data } = useQuery({
    ...api.getByPost('phone-readings', { phone, country }),
    enabled: phone !== '',
    staleTime: Infinity,
  })
  const isRead = data !== undefined && phone === typed.trim() && phone !== ''
  return <span role="status">{isRead ? describe(data.phone) : t('help')}</span>

  function describe(number: string | null) {
    if (number !== null) {
      return (
        <>
          {t('reads_as')} <Phone phone={number} />
        </>
      )
    }
    if (country === null) return t(isNeeded ? 'unsaid_needed' : 'unsaid')
    return t(isNeeded ? 'not_of_needed' : 'not_of', { country: nameOf(country) })
  }
}
