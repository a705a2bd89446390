import { Menu, Select } from '@mantine/core'
import { Icon } from './Icon.tsx'
import { FilterChip } from './List.tsx'
import styles from './list.module.css'

type Option = { value: string; label: string }

type Choice = {
  value: string | undefined
  options: readonly Option[]
  onChange(value: string | null): void
}

/** A filter with one value: a menu adds it, and a click on its chip removes it. */
export function FilterMenu({ label, value, options, onChange }: Choice & { label: string }) {
  if (value !== undefined) {
    const chosen = options.find((option) => option.value === value)?.label ?? value
    return <FilterChip label={chosen} isOn onClick={() => onChange(null)} />
  }
  if (options.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.chip} data-on="false">
          <Icon name="plus" size={13} />
          {label}
        </button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {options.map((option) => (
          <Menu.Item key={option.value} onClick={() => onChange(option.value)}>
            <bdi>{option.label}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** A filter with one value that is chosen from a list, which can be searched. */
export function FilterSelect({
  label,
  any = label,
  value,
  options,
  w,
  searchable = false,
  onChange,
}: Choice & {
  label: string
  /** The text while nothing is chosen; the label by default. */
  any?: string
  w?: number
  searchable?: boolean
}) {
  return (
    <Select
      aria-label={label}
      placeholder={any}
      clearable
      searchable={searchable}
      {...(w !== undefined && { w })}
      value={value ?? null}
      data={[...options]}
      onChange={onChange}
    />
  )
}
