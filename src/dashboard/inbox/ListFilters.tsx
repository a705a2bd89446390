import { Button, Menu, Popover, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useChannelName } from '../parts/use-channel-name.ts'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'
import { FilterChip, SearchBox } from '../parts/List.tsx'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { HANDOVER_REASONS } from '../../core/vocabulary/inbox.ts'
import styles from './inbox.module.css'
import { channelNamesQuery } from './inbox-queries.ts'
import { CLOSING, sortOf, SORTS, WAITING, type InboxSearch } from './inbox-search.ts'
import { useReasonName } from './Marks.tsx'
import { inboxWords } from './words.ts'

/** The order of the list and its filters: reason, channel, waiting time, reply window, name or number. */
export function ListFilters({
  search,
  isSelecting,
  onSelect,
}: {
  search: InboxSearch
  isSelecting: boolean
  onSelect(): void
}) {
  const t = useWords(inboxWords)
  const change = useChange(search)
  const onSearch = useCallback((q: string) => change({ q: q === '' ? undefined : q }), [change])
  return (
    <div className={styles.filters}>
      <SearchBox value={search.q ?? ''} label={t('search')} onSearch={onSearch} />
      <div className={styles.filterLine}>
        <Menu>
          <Menu.Target>
            <Button size="xs" rightSection={<Icon name="chevron_down" size={14} />}>
              {t(`sort_${sortOf(search)}`)}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {SORTS.map((sort) => (
              <Menu.Item key={sort} onClick={() => change({ sort })}>
                {t(`sort_${sort}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <FilterPopover search={search} />
        <IconButton
          hasTip
          icon="check"
          label={t('select')}
          variant="default"
          aria-pressed={isSelecting}
          onClick={onSelect}
        />
      </div>
      <Chips search={search} />
    </div>
  )
}

function useChange(search: InboxSearch) {
  const navigate = useNavigate()
  return useCallback(
    (given: { [Name in keyof InboxSearch]: InboxSearch[Name] | undefined }) => {
      const next = Object.entries({ ...search, ...given }).filter(
        ([, value]) => value !== undefined,
      )
      void navigate({ to: '.', search: Object.fromEntries(next), replace: true })
    },
    [navigate, search],
  )
}

function FilterPopover({ search }: { search: InboxSearch }) {
  const t = useWords(inboxWords)
  const api = useApi()
  const change = useChange(search)
  const reasonName = useReasonName()
  const channelName = useChannelLabel()
  const { data: channels } = useQuery(channelNamesQuery(api))
  const select = (
    name: 'reason' | 'channel' | 'waiting' | 'closing',
    label: string,
    data: { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      placeholder={t('any')}
      data={data}
      value={search[name] ?? null}
      clearable
      comboboxProps={{ withinPortal: false }}
      onChange={(value) => change({ [name]: value ?? undefined })}
    />
  )
  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={styles.addFilter}>
          <Icon name="filter" size={14} /> {t('filter')}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.filterSheet}>
        {select(
          'reason',
          t('filter_reason'),
          HANDOVER_REASONS.map((value) => ({ value, label: reasonName(value) })),
        )}
        {select(
          'channel',
          t('filter_channel'),
          (channels ?? []).map(({ id }) => ({ value: id, label: channelName(id) })),
        )}
        {select(
          'waiting',
          t('filter_waiting'),
          WAITING.map((value) => ({ value, label: t(`waiting_${value}`) })),
        )}
        {select(
          'closing',
          t('filter_closing'),
          CLOSING.map((value) => ({ value, label: t(`closing_${value}`) })),
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Returns a function that names a channel by the name its owner gave it, or else by its type. */
function useChannelLabel(): (channelId: string) => string {
  const api = useApi()
  const typeName = useChannelName()
  const { data } = useQuery(channelNamesQuery(api))
  return (channelId) => {
    const channel = data?.find(({ id }) => id === channelId)
    return channel ? (channel.name ?? typeName(channel.type)) : channelId.slice(0, 8)
  }
}

/** The active filters, each with a button that removes it. */
function Chips({ search }: { search: InboxSearch }) {
  const t = useWords(inboxWords)
  const change = useChange(search)
  const reasonName = useReasonName()
  const channelName = useChannelLabel()
  const chips = [
    search.reason && { name: 'reason', label: reasonName(search.reason) },
    search.channel !== undefined && { name: 'channel', label: channelName(search.channel) },
    search.waiting && { name: 'waiting', label: t(`waiting_${search.waiting}`) },
    search.closing && { name: 'closing', label: t(`closing_${search.closing}`) },
  ].filter((chip) => typeof chip === 'object')
  if (chips.length === 0) return null
  return (
    <div className={styles.filterLine}>
      {chips.map(({ name, label }) => (
        <FilterChip key={name} label={label} isOn onClick={() => change({ [name]: undefined })} />
      ))}
    </div>
  )
}
