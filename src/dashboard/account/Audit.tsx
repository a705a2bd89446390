import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { accountApi } from '../app/resources.ts'
import { useCompanies } from '../app/session.ts'
import { appWords } from '../frame/words.ts'
import { FilterSelect } from '../parts/FilterMenu.tsx'
import { Icon } from '../parts/Icon.tsx'
import { SearchBox, Toolbar } from '../parts/List.tsx'
import { Empty, PageHeader } from '../parts/Page.tsx'
import { saveFile } from '../parts/save-file.ts'
import { TimeField } from '../parts/TimeField.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useFormat } from '../words/format.ts'
import { useManner } from '../words/language.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './account.module.css'
import { AuditEntry, isKnownAuditAction } from './AuditEntry.tsx'
import type { AuditSearch } from './search.ts'
import { auditActionWords } from './words-audit-actions.ts'
import { auditKindWords } from './words-audit-kinds.ts'
import { auditWords } from './words-audit.ts'
import { ListStates } from '../parts/ListTable.tsx'
import { useFilters, type Filters } from '../app/use-filters.ts'

/** The page of the audit log: every change that a member made in the account, with filters and an export. */
export function Audit() {
  const t = useWords(auditWords)
  const filters = useFilters('audit', { text: 'subject' })
  const filter = useFilter(filters.search)
  const list = useInfiniteQuery(accountApi.list('/audit', filter))
  const items = list.data?.items ?? []
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} acts={<Export filter={filter} />} />
      <Toolbar search={<SearchBox label={t('subject')} {...filters.text} />} count={filters.count}>
        <Choices filters={filters} />
      </Toolbar>
      <ListStates
        list={list}
        count={items.length}
        isFiltered={filters.isOn}
        onClearFilters={filters.clear}
        empty={<Empty title={t('none')} />}
      >
        <div className={styles.entries} role="region" aria-label={t('title')}>
          {items.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} />
          ))}
        </div>
      </ListStates>
    </>
  )
}

/** A kind that this version does not know is shown by its code. */
const isKnownKind = (kind: string): kind is keyof (typeof auditKindWords)['en'] =>
  Object.hasOwn(auditKindWords.en, kind)

const DAY = /^\d{4}-\d\d-\d\d$/

/** Returns the filter for the API, in which days are instants by the clock that shows the times. */
function useFilter({ action, by, of, kind, subject, from, to }: AuditSearch) {
  const { timeShown } = useManner()
  const startOf = (day: string | undefined, plusDays = 0): string | null => {
    if (day === undefined || !DAY.test(day)) return null
    const [year, month, date] = day.split('-').map(Number) as [number, number, number]
    const start =
      timeShown === 'utc'
        ? new Date(Date.UTC(year, month - 1, date + plusDays))
        : new Date(year, month - 1, date + plusDays)
    return Number.isNaN(start.getTime()) ? null : start.toISOString()
  }
  const begin = startOf(from)
  const end = startOf(to, 1)
  return {
    ...(action !== undefined && { action }),
    ...(by !== undefined && { by }),
    ...(of !== undefined && { companyId: of }),
    ...(kind !== undefined && { subjectKind: kind }),
    ...(subject !== undefined && { subjectId: subject }),
    ...(begin !== null && { from: begin }),
    ...(end !== null && { to: end }),
  }
}

function Choices({ filters }: { filters: Filters<AuditSearch> }) {
  const t = useWords(auditWords)
  const app = useWords(appWords)
  const actions = useWords(auditActionWords)
  const kinds = useWords(auditKindWords)
  const format = useFormat()
  const companies = useCompanies()
  const words = useQuery(accountApi.get('/audit/words')).data
  const members = useQuery(accountApi.every('/members')).data
  const selects = [
    {
      name: 'action',
      data: (words?.actions ?? [])
        .map((value) => ({ value, label: isKnownAuditAction(value) ? actions(value) : value }))
        .toSorted((a, b) => format.compare(a.label, b.label)),
    },
    {
      name: 'by',
      data: [
        ...(members ?? []).map(({ personId, name, email }) => ({
          value: personId,
          label: name ?? email,
        })),
        { value: 'service', label: t('service') },
      ],
    },
    {
      name: 'of',
      data: companies.map(({ id, name, isProject }) => ({
        value: id,
        label: isProject ? (name ?? app('unnamed')) : app('own_company'),
      })),
    },
    {
      name: 'kind',
      data: (words?.subjectKinds ?? [])
        .map((value) => ({ value, label: isKnownKind(value) ? kinds(value) : value }))
        .toSorted((a, b) => format.compare(a.label, b.label)),
    },
  ] as const
  return (
    <>
      {selects.map(({ name, data }) => (
        <FilterSelect
          key={name}
          label={t(name)}
          searchable
          w={190}
          options={data}
          {...filters.of(name)}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <div key={name} className={styles.inline}>
          <span aria-hidden="true">{t(name)}</span>
          <TimeField
            form="day"
            aria-label={t(name)}
            w={150}
            value={filters.search[name] ?? ''}
            onChange={filters.of(name).onChange}
          />
        </div>
      ))}
    </>
  )
}

function Export({ filter }: { filter: ReturnType<typeof useFilter> }) {
  const t = useWords(auditWords)
  return (
    <ActButton
      leftSection={<Icon name="download" />}
      act={async () =>
        saveFile(await accountApi.call('post', '/audit/exports', filter), 'audit.csv')
      }
      done={t('exported')}
    >
      {t('export')}
    </ActButton>
  )
}
