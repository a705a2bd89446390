import { languageWords } from '../../../core/words/language-words.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../app/resources.ts'
import { HOOK_LIMITS } from '../../../core/limits/hooks.ts'
import {
  findAt,
  phoneText,
  readPathExpression,
  valueText,
} from '../../../rules/hooks/path-expression.ts'
import { readLanguage } from '../../../rules/messaging/language-reading.ts'
import { isContainer, type JsonValue } from '../../../rules/text/json-text.ts'
import { Ltr } from '../../parts/Code.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { useCountryName } from '../../words/use-country-name.ts'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { TriggerOf } from '../draft.ts'
import { likelyPath, type BodyRow } from './body-rows.ts'
import layout from '../../parts/layout.module.css'
import styles from './hook.module.css'
import { hookWords } from './words.ts'

type Webhook = TriggerOf<'webhook'>

/** The field that a click on the body fills in: one of the three, or a saved value by its index. */
export type Active = 'phone' | 'name' | 'language' | number

const PATHS = { phone: 'phonePath', name: 'namePath', language: 'languagePath' } as const

/** The path of each field, with the value at that path in the last body. */
export function Mapping({
  trigger,
  body,
  rows,
  country,
  mayEdit,
  errorAt,
  onActive,
  set,
}: {
  trigger: Webhook
  /** Null before the first request. */
  body: JsonValue | null
  rows: readonly BodyRow[]
  /** The country of the flow's number. */
  country: string | null
  mayEdit: boolean
  errorAt(field: string): string | undefined
  onActive(active: Active): void
  set(change: Partial<Webhook>): void
}) {
  const t = useWords(hookWords)
  return (
    <div className={styles.mapping}>
      {(['phone', 'name', 'language'] as const).map((field) => {
        const path = trigger[PATHS[field]] ?? ''
        const read = readIn(body, path)
        const likely = read === undefined ? likelyPath(rows, field) : null
        return (
          <div key={field}>
            <TextInput
              label={t(field)}
              withAsterisk={field === 'phone'}
              dir="ltr"
              classNames={{ input: layout.codeInput! }}
              value={path}
              error={errorAt(`trigger.${PATHS[field]}`)}
              readOnly={!mayEdit}
              onFocus={() => onActive(field)}
              onChange={(event) => {
                const text = event.currentTarget.value
                set({ [PATHS[field]]: field === 'phone' ? text : text || null })
              }}
            />
            {body !== null && path !== '' && (
              <div className={styles.read}>
                {field === 'phone' && <Phone read={read} country={country} />}
                {field === 'name' && <Plain read={read} />}
                {field === 'language' && <Language read={read} />}
              </div>
            )}
            {mayEdit && likely !== null && likely !== path && (
              <button
                type="button"
                className={styles.perhaps}
                onClick={() => set({ [PATHS[field]]: likely })}
              >
                {t('perhaps', { path: likely })}
              </button>
            )}
          </div>
        )
      })}
      <SavedValues
        keep={trigger.keep}
        body={body}
        mayEdit={mayEdit}
        errorAt={errorAt}
        onActive={onActive}
        onChange={(keep) => set({ keep })}
      />
    </div>
  )
}

/** Returns the value at a path, or undefined for a missing value or an invalid path. */
function readIn(body: JsonValue | null, path: string): JsonValue | undefined {
  const steps = readPathExpression(path.trim())
  return body !== null && steps.ok ? findAt(body, steps.value) : undefined
}

function Missing({ read }: { read: JsonValue | undefined }) {
  const t = useWords(hookWords)
  return <Pill tone="warn">{t(read === undefined ? 'not_in_last' : 'empty_in_last')}</Pill>
}

function Plain({ read }: { read: JsonValue | undefined }) {
  const t = useWords(hookWords)
  const text = valueText(read)
  if (text === '') return <Missing read={read} />
  return (
    <>
      <bdi>{text}</bdi>
      {isContainer(read) && <div className={styles.faint}>{t('kept_as_json')}</div>}
    </>
  )
}

function Language({ read }: { read: JsonValue | undefined }) {
  const t = useWords(hookWords)
  const nameOfLanguage = useWords(languageWords)
  const text = valueText(read)
  if (text === '') return <Missing read={read} />
  const language = readLanguage(text)
  if (language === null) {
    return (
      <>
        <bdi>{text}</bdi> <span className={styles.faint}>{t('language_unknown')}</span>
      </>
    )
  }
  return (
    <span className={styles.used}>
      <Ltr>{text}</Ltr>
      <Icon name="chevron_next" size={13} />
      <strong>{nameOfLanguage(language)}</strong>
    </span>
  )
}

/** The service reads the number, because the numbering plan of all countries is too large for a browser. */
function Phone({ read, country }: { read: JsonValue | undefined; country: string | null }) {
  const t = useWords(hookWords)
  const nameOf = useCountryName()
  const api = useApi()
  const value = isContainer(read) ? valueText(read) : phoneText(read)
  const tried = useQuery({
    ...api.getByPost('testers/phone', { value, country: country ?? '' }),
    enabled: value !== '' && !isContainer(read),
    staleTime: Infinity,
  }).data
  if (value === '') return <Missing read={read} />
  if (isContainer(read)) {
    return (
      <span className={layout.bad}>
        <Ltr>{value}</Ltr> {t('phone_bad')}
      </span>
    )
  }
  if (!tried) return <Ltr>{value}</Ltr>
  if (!tried.ok) {
    return (
      <span className={layout.bad}>
        <Ltr>{value}</Ltr> {tried.reason.text} {t('phone_bad')}
      </span>
    )
  }
  const isHome = country !== null && !/^\s*(\+|00)/.test(value)
  return (
    <>
      <span className={styles.used}>
        <Ltr>{value}</Ltr>
        <Icon name="chevron_next" size={13} />
        <strong>
          <Ltr>{tried.value}</Ltr>
        </strong>
      </span>
      {isHome && (
        <div className={styles.faint}>{t('read_as_mobile', { country: nameOf(country) })}</div>
      )}
    </>
  )
}

function SavedValues({
  keep,
  body,
  mayEdit,
  errorAt,
  onActive,
  onChange,
}: {
  keep: Webhook['keep']
  body: JsonValue | null
  mayEdit: boolean
  errorAt(field: string): string | undefined
  onActive(active: Active): void
  onChange(keep: Webhook['keep']): void
}) {
  const t = useWords(hookWords)
  const change = (place: number, part: Partial<Webhook['keep'][number]>) =>
    onChange(keep.map((one, at) => (at === place ? { ...one, ...part } : one)))
  return (
    <section>
      <h2 className={styles.keepTitle}>
        {t('values_to_keep')}{' '}
        <span className={styles.faint}>
          {t('of', { n: keep.length, most: HOOK_LIMITS.keptValues })}
        </span>
      </h2>
      {keep.map(({ name, path }, place) => (
        <div key={place} className={styles.kept}>
          <TextInput
            aria-label={`${t('variable')} ${t('value_n', { n: place + 1 })}`}
            dir="ltr"
            classNames={{ input: layout.codeInput! }}
            value={name}
            error={errorAt(`trigger.keep[${place}].name`)}
            readOnly={!mayEdit}
            onChange={(event) => change(place, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={t('path_label', { name })}
            dir="ltr"
            classNames={{ input: layout.codeInput! }}
            value={path}
            error={errorAt(`trigger.keep[${place}].path`)}
            readOnly={!mayEdit}
            onFocus={() => onActive(place)}
            onChange={(event) => change(place, { path: event.currentTarget.value })}
          />
          {mayEdit && (
            <IconButton
              icon="close"
              label={t('remove', { name })}
              onClick={() => onChange(keep.filter((_, at) => at !== place))}
            />
          )}
          {body !== null && (
            <div className={styles.keptValue}>
              <Plain read={readIn(body, path)} />
            </div>
          )}
        </div>
      ))}
      {mayEdit && keep.length < HOOK_LIMITS.keptValues && (
        <Button
          mt={8}
          leftSection={<Icon name="plus" />}
          onClick={() => {
            onChange([...keep, { name: `value_${keep.length + 1}`, path: 'order.id' }])
            onActive(keep.length)
          }}
        >
          {t('keep_another')}
        </Button>
      )}
    </section>
  )
}
