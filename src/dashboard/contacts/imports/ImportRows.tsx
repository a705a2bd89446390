import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PageLink } from '../../parts/PageLink.tsx'
import type {
  ContactImportView,
  ImportRowView,
} from '../../../contract/dashboard/contact-import.ts'
import { IMPORT_OUTCOMES, type ImportOutcome } from '../../../core/vocabulary/contacts.ts'
import { useApi } from '../../app/resources.ts'
import { FilterMenu } from '../../parts/FilterMenu.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { type Column } from '../../parts/ListTable.tsx'
import { Panel } from '../../parts/Page.tsx'
import { Phone } from '../../parts/Phone.tsx'
import { Pill, type Looks } from '../../parts/Pill.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { ActButton } from '../../parts/ActButton.tsx'
import { useNarrowRows } from '../../parts/use-is-phone-width.ts'
import { useWords } from '../../words/use-words.tsx'
import layout from '../../parts/layout.module.css'
import { Listing } from '../../parts/ListPage.tsx'
import { importWords } from './words.ts'

const LISTED = 'listed'

const LOOKS: Looks<ImportOutcome> = {
  created: { tone: 'ok', icon: 'plus' },
  updated: { tone: 'busy', icon: 'edit' },
  unchanged: { tone: 'off', icon: 'ok' },
  combined: { tone: 'off', icon: 'copy' },
  left_out: { tone: 'bad', icon: 'failed' },
}

/** The outcome of each row of a file, expected or final, in the file's order; the file of the result has all rows. */
export function ImportRows({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const api = useApi()
  const [only, setOnly] = useState<string>()
  const clear = () => setOnly(undefined)
  const list = useInfiniteQuery({
    queryKey: [...api.key('contact-imports/:importId/rows', { importId: job.id }), job.state, only],
    initialPageParam: 0,
    queryFn: ({ pageParam }) =>
      api.read('contact-imports/:importId/rows', {
        importId: job.id,
        after: pageParam,
        ...(only === LISTED
          ? { listed: 'true' as const }
          : only !== undefined && { outcome: only }),
      }),
    getNextPageParam: (page) => page.nextAfter ?? undefined,
  })
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const title = t(job.endedAt === null ? 'rows_checked' : 'rows_ended')
  return (
    <Panel title={title} end={<DownloadRows job={job} />}>
      <Listing
        label={title}
        filters={{ isOn: only !== undefined, count: only === undefined ? 0 : 1, clear }}
        find={
          <FilterMenu
            label={t('only')}
            value={only}
            options={[
              { value: LISTED, label: t('only_listed') },
              ...IMPORT_OUTCOMES.map((value) => ({ value, label: t(WORD_OF[value]) })),
            ]}
            onChange={(value) => setOnly(value ?? undefined)}
          />
        }
        list={list}
        items={rows.map((row) => ({ ...row, id: String(row.row) }))}
        empty={<p className={layout.lead}>{t('no_rows')}</p>}
        columns={useColumns()}
      />
    </Panel>
  )
}

const WORD_OF = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  combined: 'combined',
  left_out: 'left_out_rows',
} as const satisfies Record<ImportOutcome, string>

function useColumns(): Column<ImportRowView & { id: string }>[] {
  const t = useWords(importWords)
  const isNarrow = useNarrowRows()
  return [
    {
      head: t('row'),
      // A narrow table has no headings, so the figure needs its name.
      cell: ({ row }) => (isNarrow ? `${t('row')} ${row}` : row),
    },
    {
      head: t('outcome'),
      cell: ({ outcome }) => <Pill {...LOOKS[outcome]}>{t(WORD_OF[outcome])}</Pill>,
    },
    {
      head: t('name'),
      cell: ({ name, contactId, outcome }) =>
        contactId === null || outcome === 'left_out' ? (
          <bdi>{name}</bdi>
        ) : (
          <PageLink
            to="contacts/$contact"
            params={{ contact: contactId }}
            named={name ?? contactId}
          />
        ),
    },
    { head: t('phone'), cell: ({ phone }) => phone !== null && <Phone phone={phone} /> },
    { head: t('email'), cell: ({ email }) => <bdi>{email}</bdi> },
    {
      head: t('note'),
      cell: ({ notes }) =>
        notes.map(({ column, problem: { code, text } }) => (
          <div key={`${column} ${code}`}>{text}</div>
        )),
    },
  ]
}

function DownloadRows({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const api = useApi()
  return (
    <ActButton
      size="xs"
      leftSection={<Icon name="download" />}
      act={async () =>
        saveFile(
          await api.read('contact-imports/:importId/rows.csv', { importId: job.id }),
          'rows.csv',
        )
      }
    >
      {t('download_rows')}
    </ActButton>
  )
}
