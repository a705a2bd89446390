import type { HookShape } from '../../../contract/dashboard/hook-url.ts'
import type { JsonValue } from '../../../rules/text/json-text.ts'
import { Panel } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useWords } from '../../words/use-words.tsx'
import type { BodyRow } from './body-rows.ts'
import { BodyTree } from './BodyTree.tsx'
import styles from './hook.module.css'
import { PasteBody } from './PasteBody.tsx'
import { Samples } from './Samples.tsx'
import { hookWords } from './words.ts'

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
