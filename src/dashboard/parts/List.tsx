import { CloseButton, TextInput, Button } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './Icon.tsx'
import styles from './list.module.css'
import { useIsPhoneWidth } from './use-is-phone-width.ts'
import { partsWords } from './words.ts'
import { useFormat } from '../words/format.ts'
import { Drawer } from './Modal.tsx'
import { filterWords } from './words-filter.ts'

/** A toolbar with search, filters and, at the end, the number of items. On a phone the filters are in a sheet. */
export function Toolbar({
  search,
  children,
  end,
  count,
}: {
  search?: ReactNode
  children?: ReactNode
  end?: ReactNode
  /** The number of active filters. Undefined where the children are not filters. */
  count?: number | undefined
}) {
  const isPhone = useIsPhoneWidth()
  const isSheet = isPhone && count !== undefined && children != null
  return (
    <div className={styles.toolbar}>
      {search}
      {isSheet ? <FilterSheet count={count}>{children}</FilterSheet> : children}
      {end !== undefined && <div className={styles.toolbarEnd}>{end}</div>}
    </div>
  )
}

const TYPING_MS = 250

/** A search box that reports its text once the member has stopped typing. */
export function SearchBox({
  value,
  label,
  onSearch,
}: {
  value: string
  label: string
  onSearch(text: string): void
}) {
  const t = useWords(partsWords)
  const [text, setText] = useState(value)
  const lastReported = useRef(value)
  useEffect(() => {
    if (value !== lastReported.current) setText(value)
    lastReported.current = value
  }, [value])
  useEffect(() => {
    if (text === lastReported.current) return
    const timer = setTimeout(() => {
      lastReported.current = text
      onSearch(text)
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text, onSearch])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      w={{ base: '100%', xs: 320 }}
      leftSection={<Icon name="search" />}
      rightSection={
        text === '' ? null : (
          <CloseButton size="sm" aria-label={t('clear')} onClick={() => setText('')} />
        )
      }
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}

/** A chip of an active filter, which can be removed, or of one that can be added. */
export function FilterChip({
  label,
  isOn,
  ...button
}: {
  label: string
  isOn: boolean
} & Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'>) {
  const t = useWords(partsWords)
  return (
    <button
      {...button}
      type="button"
      className={styles.chip}
      data-on={isOn}
      aria-label={isOn ? t('remove_filter', { name: label }) : label}
    >
      {!isOn && <Icon name="plus" size={13} />}
      {label}
      {isOn && <Icon name="close" size={13} />}
    </button>
  )
}

/** The bar of acts for the selected rows. */
export function BulkBar({
  count,
  note,
  onClear,
  children,
}: {
  count: number
  note?: ReactNode
  onClear(): void
  children: ReactNode
}) {
  const t = useWords(partsWords)
  if (count === 0) return null
  return (
    <div className={styles.bulk} role="region" aria-label={t('selected', { n: count })}>
      <strong>{t('selected', { n: count })}</strong>
      <span className={styles.bulkText}>{note}</span>
      {children}
      <button type="button" className={styles.bulkAct} onClick={onClear}>
        {t('clear')}
      </button>
    </div>
  )
}

/** A button in the bar of acts for the selected rows. */
export function BulkAct({
  children,
  isBusy = false,
  onClick,
}: {
  children: ReactNode
  isBusy?: boolean
  onClick(): void
}) {
  return (
    <button
      type="button"
      className={styles.bulkAct}
      disabled={isBusy}
      aria-busy={isBusy}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

/**
 * The filters of a list on a phone: a button opens them in a sheet at the bottom. With a title, the button shows only
 * an icon and the number of active filters.
 */
export function FilterSheet({
  count,
  title,
  children,
}: {
  count: number
  title?: string
  children: ReactNode
}) {
  const t = useWords(filterWords)
  const { number } = useFormat()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {title === undefined ? (
        <Button leftSection={<Icon name="filter" />} onClick={() => setOpen(true)}>
          {count === 0 ? t('filter') : t('filters_on', { count: number(count) })}
        </Button>
      ) : (
        <Button
          aria-label={count === 0 ? title : t('sheet_on', { title, count: number(count) })}
          onClick={() => setOpen(true)}
        >
          <Icon name="filter" />
          {count > 0 && number(count)}
        </Button>
      )}
      <Drawer
        opened={isOpen}
        position="bottom"
        size="auto"
        title={title ?? t('filter')}

        onClose={() => setOpen(false)}
      >
        <div className={styles.sheet}>
          {children}
          <Button variant="filled" fullWidth onClick={() => setOpen(false)}>
            {t('show_results')}
          </Button>
        </div>
      </Drawer>
    </>
  )
}
