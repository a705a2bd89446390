import { Menu } from '@mantine/core'
import { Icon } from './Icon.tsx'
import { FilterChip } from './List.tsx'
import styles from './parts.module.css'

type Option = { value: string; label: string }

/** A filter of one value: to add it a menu is opened, a click takes it off again. */
export function FilterMenu({
  name,
  value,
  options,
  onChange,
}: {
  /** "Tag" */
  name: string
  value: string | undefined
  options: readonly Option[]
  onChange(value: string | undefined): void
}) {
  if (value !== undefined) {
    const label = options.find((option) => option.value === value)?.label ?? value
    return <FilterChip label={label} isOn onClick={() => onChange(undefined)} />
  }
  if (options.length === 0) return null
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.chip} data-on="false">
          <Icon name="plus" size={13} />
          {name}
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
