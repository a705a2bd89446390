import { Menu, Button } from '@mantine/core'
import { useState, type ReactNode, type FormEvent } from 'react'
import {
  ATTEMPT_ERRORS,
  DELIVERY_KINDS,
  DELIVERY_STATES,
} from '../../core/vocabulary/deliveries.ts'
import { EVENT_TYPES } from '../../core/vocabulary/events.ts'
import { FilterChip } from '../parts/List.tsx'
import { instantOfTyped, useFormat } from '../words/format.ts'
import { useManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import { useEndpointNames } from './endpoint-names.ts'
import { RANGES, type ChangeSearch, type LogSearch } from './log-search-params.ts'
import styles from './webhooks.module.css'
import { logWords } from './words-log.ts'
import { Modal } from '../parts/Modal.tsx'
import { TimeField } from '../parts/TimeField.tsx'

const CLASSES = [2, 3, 4, 5] as const

type Filter = {
  key: string
  name: string
  /** The text of the chosen value; undefined while the filter is off. */
  on: string | undefined
  choices: readonly { key: string; label: ReactNode; choose(): void }[]
  clear(): void
}

/** The filters of the log, which are part of the URL. Active ones come first; the others can be added. */
export function LogFilters({
  search,
  hasEndpoint,
  onChange,
}: {
  search: LogSearch
  hasEndpoint: boolean
  onChange: ChangeSearch
}) {
  const [isChoosing, setChoosing] = useState(false)
  const range = useRange(search, onChange, () => setChoosing(true))
  const filters = useLogFilters(search, onChange, hasEndpoint, range)
  const sorted = filters.toSorted((one, other) => Number(!one.on) - Number(!other.on))
  return (
    <span className={styles.filters}>
      {sorted.map((filter) =>
        filter.on === undefined ? (
          <Menu key={filter.key} position="bottom-start">
            <Menu.Target>
              <FilterChip label={filter.name} isOn={false} />
            </Menu.Target>
            <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
              {filter.choices.map(({ key, label, choose }) => (
                <Menu.Item key={key} onClick={choose}>
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        ) : (
          <FilterChip key={filter.key} label={filter.on} isOn onClick={filter.clear} />
        ),
      )}
      {isChoosing && <RangeDialog onChange={onChange} onClose={() => setChoosing(false)} />}
    </span>
  )
}

function useLogFilters(
  search: LogSearch,
  onChange: ChangeSearch,
  hasEndpoint: boolean,
  range: Filter,
): Filter[] {
  const t = useWords(logWords)
  const endpoints = useEndpointNames()
  const one = <Value extends string>(
    key: keyof LogSearch & ('kind' | 'type' | 'error' | 'state'),
    values: readonly Value[],
    say: (value: Value) => string,
    isCode = false,
  ): Filter => {
    const chosen = search[key] as Value | undefined
    return {
      key,
      name: t(`filter_${key}`),
      on: chosen === undefined ? undefined : say(chosen),
      choices: values.map((value) => ({
        key: value,
        label: isCode ? <bdi dir="ltr">{value}</bdi> : say(value),
        choose: () => onChange({ [key]: value }),
      })),
      clear: () => onChange({ [key]: undefined }),
    }
  }
  const { status, statusClass, endpointId } = search
  const answer: Filter = {
    key: 'answer',
    name: t('filter_answer'),
    on:
      status !== undefined
        ? t('answer_is', { status: String(status) })
        : statusClass !== undefined
          ? t(`class_${CLASSES.find((digit) => digit === statusClass) ?? 5}`)
          : undefined,
    choices: CLASSES.map((digit) => ({
      key: String(digit),
      label: t(`class_${digit}`),
      choose: () => onChange({ statusClass: digit }),
    })),
    clear: () => onChange({ status: undefined, statusClass: undefined }),
  }
  const ofEndpoint: Filter = {
    key: 'endpoint',
    name: t('filter_endpoint'),
    on:
      endpointId === undefined
        ? undefined
        : (endpoints.find(({ id }) => id === endpointId)?.name ?? t('filter_endpoint')),
    choices: endpoints.map(({ id, name }) => ({
      key: id,
      label: <bdi>{name}</bdi>,
      choose: () => onChange({ endpointId: id }),
    })),
    clear: () => onChange({ endpointId: undefined }),
  }
  return [
    ...(hasEndpoint ? [] : [ofEndpoint]),
    range,
    one('kind', DELIVERY_KINDS, (kind) => t(`${kind}_kind`)),
    one('type', EVENT_TYPES, (type) => type, true),
    answer,
    one('error', ATTEMPT_ERRORS, (error) => t(error)),
    one('state', DELIVERY_STATES, (state) => t(state)),
  ]
}

function useRange(search: LogSearch, onChange: ChangeSearch, chooseExact: () => void): Filter {
  const t = useWords(logWords)
  const format = useFormat()
  const { range, from, to } = search
  const exact =
    from !== undefined && to !== undefined
      ? t('from_to', { from: format.dateTime(from), to: format.dateTime(to) })
      : from !== undefined
        ? t('since_time', { time: format.dateTime(from) })
        : to !== undefined
          ? t('until_time', { time: format.dateTime(to) })
          : undefined
  return {
    key: 'range',
    name: t('filter_range'),
    on: range ? t(range) : exact,
    choices: [
      ...RANGES.map((value) => ({
        key: value,
        label: t(value),
        choose: () => onChange({ range: value, from: undefined, to: undefined }),
      })),
      { key: 'exact', label: t('range_exact'), choose: chooseExact },
    ],
    clear: () => onChange({ range: undefined, from: undefined, to: undefined }),
  }
}

/** A dialog for a custom range: from, to, or both, by the clock that shows the times. */
function RangeDialog({ onChange, onClose }: { onChange: ChangeSearch; onClose(): void }) {
  const t = useWords(logWords)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const { timeShown } = useManner()
  const toUtc = (typed: string) =>
    typed === '' ? undefined : instantOfTyped(typed, timeShown).toISOString()
  const isWrong = from !== '' && to !== '' && to <= from
  const show = (event: FormEvent) => {
    event.preventDefault()
    if (isWrong) return
    onChange({ range: undefined, from: toUtc(from), to: toUtc(to) })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('range_exact')}>
      <form onSubmit={show} className={styles.select}>
        <TimeField form="moment" label={t('range_from')} value={from} onChange={setFrom} />
        <TimeField
          form="moment"
          label={t('range_to')}
          value={to}
          error={isWrong && t('range_wrong')}
          onChange={setTo}
        />
        <div>
          <Button type="submit" variant="filled" disabled={from === '' && to === ''}>
            {t('range_show')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
