import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { EVENT_TYPES, type EventType } from '../../core/vocabulary/events.ts'
import { Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { SearchBox } from '../parts/List.tsx'
import { Empty } from '../parts/Page.tsx'
import { partsWords } from '../parts/words.ts'
import { useWords } from '../words/use-words.tsx'
import { TYPE_GROUPS, typeWords } from './words-types.ts'
import layout from '../parts/layout.module.css'
import styles from './webhooks.module.css'
import { webhooksWords } from './words.ts'

/** A field for the event types of an endpoint, in groups, each type with a sentence on when it occurs. */
export function EventTypesField({
  value,
  error,
  onChange,
}: {
  value: readonly EventType[]
  error?: string | undefined
  onChange(value: EventType[]): void
}) {
  const t = useWords(webhooksWords)
  const types = useWords(typeWords)
  const parts = useWords(partsWords)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const isShown = (type: EventType) => `${type} ${types(type)}`.toLowerCase().includes(wanted)
  const toggle = (type: EventType) =>
    onChange(value.includes(type) ? value.filter((one) => one !== type) : [...value, type])
  const groups = TYPE_GROUPS.map((group) => ({
    word: group.word,
    types: group.types.filter((type) => isShown(type)),
  })).filter((group) => group.types.length > 0)
  return (
    <fieldset className={styles.types}>
      <legend>
        {t('types')}{' '}
        <span className={layout.count}>
          {t('types_of', { n: value.length, limit: EVENT_TYPES.length })}
        </span>
      </legend>
      <p className={styles.help}>{t('types_help')}</p>
      <div className={layout.row}>
        <SearchBox value={search} label={t('find_type')} onSearch={setSearch} />
        <Button size="xs" onClick={() => onChange([...EVENT_TYPES])}>
          {t('select_current')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => onChange([])}>
          {t('select_none')}
        </Button>
      </div>
      {error !== undefined && (
        <p className={styles.fault} role="alert">
          <Icon name="warning" size={14} />
          {error}
        </p>
      )}
      {groups.length === 0 && <Empty title={parts('nothing_matches')} />}
      {groups.map((group) => (
        <section key={group.word} className={styles.typeGroup}>
          <h2 className={styles.subtitle}>{types(group.word)}</h2>
          {group.types.map((type) => (
            <Checkbox
              key={type}
              checked={value.includes(type)}
              onChange={() => toggle(type)}
              label={<Ltr>{type}</Ltr>}
              description={types(type)}
            />
          ))}
        </section>
      ))}
    </fieldset>
  )
}
