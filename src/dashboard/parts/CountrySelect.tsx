import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { CALLING_CODES, COUNTRIES, type Country } from '../../core/vocabulary/countries.ts'
import { useManner } from '../words/language.ts'
import { localeOf } from '../words/locale.ts'
import { useCountryName } from '../words/use-country-name.ts'
import { useWords } from '../words/use-words.tsx'
import { phoneWords } from './words-phone.ts'

/** A field for a country, which can be searched by name and by calling code. */
export function CountrySelect({
  label,
  description,
  value,
  error,
  onChange,
}: {
  /** The label; "Country" by default. */
  label?: string
  description?: string
  value: Country | null
  error: string | undefined
  onChange(country: Country | null): void
}) {
  const t = useWords(phoneWords)
  const { language } = useManner()
  const nameOf = useCountryName()
  const options = useMemo(() => {
    const { compare } = new Intl.Collator(localeOf(language))
    return COUNTRIES.map((code) => ({
      value: code,
      label: `${nameOf(code)} \u2066+${CALLING_CODES[code]}\u2069`,
    })).toSorted((one, other) => compare(one.label, other.label))
  }, [language, nameOf])
  return (
    <Select<Country>
      label={label ?? t('country')}
      description={description}
      placeholder={t('country_unknown')}
      searchable
      clearable
      data={options}
      value={value}
      error={error}
      onChange={onChange}
    />
  )
}
