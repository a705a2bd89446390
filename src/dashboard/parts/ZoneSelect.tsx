import { Select, type ComboboxItem, type OptionsFilter } from '@mantine/core'
import { useMemo, useState } from 'react'
import { now } from '../words/now.ts'
import { defineWords } from '../../core/words/define-words.ts'
import { useManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import { isZoneFound, listZones, nameZone } from './zones.ts'

const words = defineWords({
  en: { none: 'No matching time zone' },
  ar: { none: 'لا توجد منطقة زمنية مطابقة' },
})

const MAX_SHOWN = 60

const filter: OptionsFilter = ({ options, search }) =>
  (options as ComboboxItem[]).filter((option) => isZoneFound(option, search)).slice(0, MAX_SHOWN)

/** A field for a time zone, which can be searched by city, name and offset from UTC. */
export function ZoneSelect({
  label,
  description,
  value: zone,
  usual,
  error,
  onChange,
}: {
  label: string
  description?: string
  value: string
  /** The zone that an empty field means; a field without it cannot be emptied. */
  usual?: string
  error: string | undefined
  onChange(zone: string): void
}) {
  const t = useWords(words)
  const { language } = useManner()
  const [isOpened, setOpened] = useState(false)
  // Naming all zones takes a moment, and most forms are opened for another field.
  const options = useMemo(() => {
    if (isOpened) return listZones(language, now(), zone)
    return zone === '' ? [] : [{ value: zone, label: nameZone(zone, language, now()) }]
  }, [isOpened, language, zone])
  return (
    <Select
      label={label}
      description={description}
      placeholder={usual === undefined ? undefined : nameZone(usual, language, now())}
      data={options}
      searchable
      onDropdownOpen={() => setOpened(true)}
      filter={filter}
      nothingFoundMessage={t('none')}
      allowDeselect={false}
      clearable={usual !== undefined}
      value={zone === '' ? null : zone}
      error={error}
      onChange={(chosen) => {
        if (chosen !== null || usual !== undefined) onChange(chosen ?? '')
      }}
    />
  )
}

/** Returns a function that names a zone in the language of the interface. */
export function useZoneName(): (zone: string) => string {
  const { language } = useManner()
  return (zone) => nameZone(zone, language, now())
}
