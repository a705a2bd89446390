import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './Icon.tsx'
import layout from './layout.module.css'
import styles from './parts.module.css'
import { partsWords } from './words.ts'

type Row = { name: string; value: string }

/**
 * Names with values, such as headers, in rows that can be added and removed. They are code, so they run from left to
 * right.
 */
export function NameValueRows({
  label,
  nameLabel,
  valueLabel,
  addLabel,
  rows,
  max,
  onChange,
  errorAt,
}: {
  label: string
  nameLabel: string
  valueLabel: string
  addLabel: string
  rows: readonly Row[]
  max: number
  onChange(rows: Row[]): void
  errorAt(index: number, part: keyof Row): string | undefined
}) {
  const t = useWords(partsWords)
  const change = (index: number, part: keyof Row, text: string) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [part]: text } : row)))
  return (
    <fieldset className={styles.rows}>
      <legend>{label}</legend>
      {rows.map((row, index) => (
        <div key={index} className={styles.row}>
          {(['name', 'value'] as const).map((part) => (
            <TextInput
              key={part}
              dir="ltr"
              aria-label={`${part === 'name' ? nameLabel : valueLabel} ${index + 1}`}
              placeholder={part === 'name' ? nameLabel : valueLabel}
              value={row[part]}
              error={errorAt(index, part)}
              onChange={(event) => change(index, part, event.currentTarget.value)}
            />
          ))}
          <Tooltip label={t('remove')}>
            <ActionIcon
              variant="default"
              aria-label={t('remove_value', {
                name: row.name === '' ? String(index + 1) : row.name,
              })}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              <Icon name="close" />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <div className={styles.formFoot}>
        <Button
          size="compact-md"
          leftSection={<Icon name="plus" size={14} />}
          disabled={rows.length >= max}
          onClick={() => onChange([...rows, { name: '', value: '' }])}
        >
          {addLabel}
        </Button>
        <span className={layout.small}>{t('of', { n: rows.length, limit: max })}</span>
      </div>
    </fieldset>
  )
}
