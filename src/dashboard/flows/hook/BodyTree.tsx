import { useWords } from '../../words/use-words.tsx'
import { valueText } from '../../../rules/hooks/path-expression.ts'
import { isContainer } from '../../../rules/text/json-text.ts'
import styles from './hook.module.css'
import { isListCut, type BodyRow } from './body-rows.ts'
import { hookWords } from './words.ts'

/**
 * The received body as a tree of values; a click on one picks its path. A click on a line fills in the active field.
 */
export function BodyTree({
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
