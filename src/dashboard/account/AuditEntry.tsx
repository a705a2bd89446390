import type { ReactNode } from 'react'
import type { AuditView } from '../../contract/dashboard/account.ts'
import { useCompanies } from '../app/session.ts'
import { appWords } from '../frame/words.ts'
import { IdChip, Ltr } from '../parts/Code.tsx'
import { Time } from '../parts/Time.tsx'
import { useFormat } from '../words/format.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { auditActionWords } from './words-audit-actions.ts'
import { auditWords } from './words-audit.ts'

/** The name of the act in an audit entry; a code that this version does not know is shown unchanged. */
export function AuditAction({ action }: { action: string }): ReactNode {
  const t = useWords(auditActionWords)
  return isKnownAuditAction(action) ? t(action) : <Ltr>{action}</Ltr>
}

/** Returns whether this version has a text for the action of an audit entry. */
export function isKnownAuditAction(
  action: string,
): action is keyof (typeof auditActionWords)['en'] {
  return Object.hasOwn(auditActionWords.en, action)
}

/** One change: its author, the act and its subject. Opened, it shows the values before and after. */
export function AuditEntry({ entry }: { entry: AuditView }) {
  const t = useWords(auditWords)
  const app = useWords(appWords)
  const company = useCompanies().find(({ id }) => id === entry.companyId)
  const { person, action, subjectId, subjectName, createdAt } = entry
  return (
    <details className={styles.entry}>
      <summary>
        <strong>
          <AuditAction action={action} />
          {subjectName !== null && (
            <>
              {' · '}
              <bdi>{subjectName}</bdi>
            </>
          )}
        </strong>
        <bdi>{person === null ? t('service') : (person.name ?? person.email)}</bdi>
        <bdi className={layout.help}>
          {company && (company.isProject ? (company.name ?? app('unnamed')) : app('own_company'))}
        </bdi>
        <Time at={createdAt} />
      </summary>
      <dl className={styles.change}>
        <dt>{t('action')}</dt>
        <dd data-whole>
          <Ltr>{action}</Ltr>
        </dd>
        <dt>{t('id')}</dt>
        <dd data-whole>
          <IdChip id={subjectId} />
        </dd>
        {person !== null && (
          <>
            <dt>{t('by')}</dt>
            <dd data-whole>
              <Ltr>{person.email}</Ltr>
            </dd>
          </>
        )}
        <Detail detail={entry.detail ?? {}} />
      </dl>
    </details>
  )
}

type Change = { name: string; before?: unknown; after: unknown }

/**
 * Returns the changes in the detail of an entry: `from` and `to` of one value, `before` and `after` of several, or
 * single values.
 */
function changesIn(detail: Readonly<Record<string, unknown>>): Change[] {
  const { before, after, ...rest } = detail
  const pairs: Change[] = []
  if (isRecord(before) && isRecord(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      pairs.push({ name, before: before[name] ?? null, after: after[name] ?? null })
    }
  } else {
    pairs.push(
      ...valuesOf({
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      }),
    )
  }
  if ('from' in rest && 'to' in rest) {
    const { from, to, ...others } = rest
    return [...pairs, { name: '', before: from, after: to }, ...valuesOf(others)]
  }
  return [...pairs, ...valuesOf(rest)]
}

const valuesOf = (detail: Readonly<Record<string, unknown>>): Change[] =>
  Object.entries(detail).map(([name, after]) =>
    isRecord(after) && 'from' in after && 'to' in after
      ? { name, before: after['from'], after: after['to'] }
      : { name, after },
  )

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function Detail({ detail }: { detail: Readonly<Record<string, unknown>> }) {
  return changesIn(detail).map(({ name, before, after }) => (
    <div key={name} style={{ display: 'contents' }}>
      <dt>{name !== '' && <Ltr>{name}</Ltr>}</dt>
      {before === undefined ? (
        <dd data-whole>
          <Value value={after} />
        </dd>
      ) : (
        <>
          <dd>
            <del>
              <Value value={before} />
            </del>
          </dd>
          <dd>
            <ins>
              <Value value={after} />
            </ins>
          </dd>
        </>
      )}
    </div>
  ))
}

function Value({ value }: { value: unknown }): ReactNode {
  const t = useWords(auditWords)
  const format = useFormat()
  if (value === null || value === undefined || value === '') return <i>{t('empty')}</i>
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value === 'number') return format.number(value)
  if (typeof value === 'string') return <bdi>{value}</bdi>
  return <Ltr>{JSON.stringify(value)}</Ltr>
}
