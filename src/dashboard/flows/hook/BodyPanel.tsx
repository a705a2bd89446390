import type { HookShape } from '../../../contract/dashboard/hook-url.ts'
import { type JsonValue, readJson, isContainer } from '../../../rules/text/json-text.ts'
import { Panel } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useWords } from '../../words/use-words.tsx'
import { type BodyRow, isListCut, MAX_ROWS } from './body-rows.ts'
import layout from '../../parts/layout.module.css'
import styles from './hook.module.css'
import { Samples } from './Samples.tsx'
import { hookWords } from './words.ts'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { valueText } from '../../../rules/hooks/path-expression.ts'

/** The last received or pasted body, or instructions for sending one while there is none. */
export function BodyPanel({
  shape,
  body,
  rows,
  mapped,
  activeName,
  mayEdit,
  isPasted,
  onPick,
  onPaste,
}: {
  shape: HookShape | null
  body: JsonValue | null
  rows: readonly BodyRow[]
  mapped: ReadonlyMap<string, readonly string[]>
  /** The name of the field that a click fills in. */
  activeName: string
  mayEdit: boolean
  isPasted: boolean
  onPick(path: string): void
  onPaste(body: JsonValue | null): void
}) {
  const t = useWords(hookWords)
  return (
    <Panel
      title={t(isPasted ? 'pasted' : 'last_request')}
      end={
        !isPasted && shape ? (
          <span className={styles.faint}>
            <Time at={shape.receivedAt} />
          </span>
        ) : undefined
      }
      isFlush
    >
      {body !== null && (
        <>
          {mayEdit && (
            <p className={styles.filling} role="status">
              {t('filling', { field: activeName })}
            </p>
          )}
          <BodyTree
            rows={rows}
            mapped={mapped}
            active={mayEdit ? activeName : null}
            onPick={onPick}
          />
          <p className={styles.note}>
            {rows.some(({ isUnreachable }) => isUnreachable) && (
              <>
                {t('unreachable', {
                  name: rows.find(({ isUnreachable }) => isUnreachable)!.name,
                })}{' '}
              </>
            )}
            {rows.length === MAX_ROWS && <>{t('rows_cut', { n: MAX_ROWS })} </>}
            {!isPasted && t('kept')}
          </p>
        </>
      )}
      {body === null && (
        <div className={styles.note}>
          <p>{t('nothing_yet_text')}</p>
          <Samples url={null} />
        </div>
      )}
      {mayEdit && (
        <div className={styles.note}>
          <PasteBody isPasted={isPasted} onPaste={onPaste} />
        </div>
      )}
    </Panel>
  )
}

/** A field for a pasted body, which is mapped in the browser and sent nowhere. */
function PasteBody({
  isPasted,
  onPaste,
}: {
  isPasted: boolean
  onPaste(body: JsonValue | null): void
}) {
  const t = useWords(hookWords)
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const read = readJson(text, { mustBeContainer: true })
  if (!isOpen) {
    return (
      <Button size="xs" onClick={() => setOpen(true)}>
        {t('paste')}
      </Button>
    )
  }
  return (
    <div className={styles.mapping}>
      <Textarea
        label={t('paste')}
        description={t('paste_help')}
        dir="ltr"
        classNames={{ input: layout.codeInput! }}
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        error={text !== '' && !read.ok ? t('paste_bad') : undefined}
        onChange={(event) => {
          const { value } = event.currentTarget
          setText(value)
          const now = readJson(value, { mustBeContainer: true })
          if (now.ok) onPaste(now.value)
        }}
      />
      {isPasted && (
        <Button
          size="xs"
          onClick={() => {
            onPaste(null)
            setText('')
            setOpen(false)
          }}
        >
          {t('use_last')}
        </Button>
      )}
    </div>
  )
}

/** The received body. A click on a line fills in the active field. */
function BodyTree({
  rows,
  mapped,
  active,
  onPick,
}: {
  rows: readonly BodyRow[]
  /** The fields that read each path: "Phone", `order_id`. */
  mapped: ReadonlyMap<string, readonly string[]>
  /** The field that a click fills in; null for a member who may not edit. */
  active: string | null
  onPick(path: string): void
}) {
  const t = useWords(hookWords)
  return (
    <ul className={styles.tree} dir="ltr">
      {rows.map((row) => {
        const names = (row.path !== null && mapped.get(row.path)) || []
        const inside = (
          <>
            <span className={styles.key}>{row.name}:</span> <Value row={row} />
          </>
        )
        return (
          <li
            key={row.key}
            style={{ paddingInlineStart: 12 + row.depth * 18 }}
            className={styles.line}
            data-mapped={names.length > 0}
            data-unreachable={row.isUnreachable}
          >
            {row.path === null || active === null ? (
              <span className={styles.lineText}>{inside}</span>
            ) : (
              <button type="button" className={styles.lineText} onClick={() => onPick(row.path!)}>
                {inside}
                <span className="visually-hidden">
                  {t('use_path', { path: row.path, field: active })}
                </span>
              </button>
            )}
            {names.map((name) => (
              <bdi key={name} className={styles.chip}>
                {name}
              </bdi>
            ))}
          </li>
        )
      })}
    </ul>
  )
}

function Value({ row: { value } }: { row: BodyRow }) {
  const t = useWords(hookWords)
  if (Array.isArray(value)) {
    return (
      <bdi className={styles.faint}>
        {t(isListCut(value) ? 'first_items' : 'items', { n: value.length })}
      </bdi>
    )
  }
  if (isContainer(value)) return null
  if (typeof value === 'string') {
    return (
      <span className={styles.text}>
        "<bdi>{value}</bdi>"
      </span>
    )
  }
  return <span className={styles.number}>{value === null ? 'null' : valueText(value)}</span>
}
