import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import { IMPORT_LIMITS } from '../../../limits/contacts.ts'
import { api } from '../../app/api.ts'
import { useCompanyId } from '../../app/company.ts'
import { Icon } from '../../parts/Icon.tsx'
import { ListTable } from '../../parts/List.tsx'
import { Panel } from '../../parts/Page.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { useNarrowRows } from '../../parts/use-phone.ts'
import { useWords } from '../../words/use-words.tsx'
import { refusalOf } from '../use-export.ts'
import styles from './imports.module.css'
import { readCsv } from './read-csv.ts'
import { importWords } from './words.ts'

const SHOWN = 100

/** What is wrong with which row; the file of it holds them all. */
export function Faults({ job }: { job: ContactImportView }) {
  const t = useWords(importWords)
  const companyId = useCompanyId()
  const isNarrow = useNarrowRows()
  const list = useQuery({
    queryKey: ['imports', companyId, job.id, 'faults', job.state],
    queryFn: async () => {
      const param = { companyId, importId: job.id }
      const answer = await api.companies[':companyId']['contact-imports'][':importId'][
        'faults.csv'
      ].$get({ param })
      if (!answer.ok) throw await refusalOf(answer)
      return answer.text()
    },
  })
  const rows = readCsv(list.data ?? '').slice(1)
  const items = rows
    .slice(0, SHOWN)
    .map(([row = '', column = '', leftOut = '', problem = ''], at) => ({
      id: String(at),
      row,
      column,
      isLeftOut: leftOut === 'yes',
      problem,
    }))
  return (
    <Panel
      title={t('faults')}
      end={
        rows.length > 0 && (
          <Button
            size="xs"
            leftSection={<Icon name="download" />}
            onClick={() =>
              saveFile(new Blob([list.data ?? ''], { type: 'text/csv' }), 'faults.csv')
            }
          >
            {t('download_faults')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('faults')}
        list={list}
        items={items}
        empty={<p className={styles.help}>{t('no_faults')}</p>}
        columns={[
          {
            key: 'row',
            head: t('row'),
            // Without its head over it a figure says nothing, nor does a yes.
            cell: ({ row }) => (isNarrow ? `${t('row')} ${row}` : row),
          },
          { key: 'column', head: t('column'), cell: ({ column }) => <bdi>{column}</bdi> },
          { key: 'problem', head: t('problem'), cell: ({ problem }) => problem },
          {
            key: 'left',
            head: t('is_left_out'),
            cell: ({ isLeftOut }) =>
              isNarrow ? isLeftOut && t('is_left_out') : t(isLeftOut ? 'yes' : 'no'),
          },
        ]}
      />
      {rows.length > SHOWN && (
        <p className={styles.help}>{t('faults_more', { n: SHOWN, most: IMPORT_LIMITS.faults })}</p>
      )}
    </Panel>
  )
}
