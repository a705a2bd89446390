import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PageButton, PageLink } from '../../parts/PageLink.tsx'
import { useGo } from '../../app/pages.ts'
import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import { IMPORT_LIMITS } from '../../../core/limits/contacts.ts'
import { useApi } from '../../app/resources.ts'
import { useLiveQuery } from '../../app/live.tsx'
import { FileDrop } from '../../parts/FileDrop.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { type Column } from '../../parts/ListTable.tsx'
import { Empty } from '../../parts/Page.tsx'
import { Time } from '../../parts/Time.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { ImportPill } from './ImportPill.tsx'
import layout from '../../parts/layout.module.css'
import styles from './imports.module.css'
import { ListPage } from '../../parts/ListPage.tsx'
import { importWords } from './words.ts'

/** The page that lists the imports of contacts, with a field to upload a file. */
export function Imports() {
  const t = useWords(importWords)
  const api = useApi()
  const go = useGo()
  useLiveQuery('contact_import', api.listKey('contact-imports'))
  const list = useInfiniteQuery(api.list('contact-imports'))
  const open = (id: string) => void go('contacts/imports/$import', { import: id })
  return (
    <ListPage
      isBelow
      title={t('title')}
      lead={t('lead', { rows: IMPORT_LIMITS.rows })}
      acts={<PageButton to="contacts">{t('back')}</PageButton>}
      above={<Upload onUploaded={open} />}
      list={list}
      columns={useColumns()}
      onOpen={({ id }) => open(id)}
      empty={<Empty title={t('none')} />}
    />
  )
}

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Returns the media type by the extension; the service detects the format by the bytes. */
const typeOf = ({ name }: File) => (/\.xlsx$/i.test(name) ? WORKBOOK : 'text/csv')

function Upload({ onUploaded }: { onUploaded(id: string): void }) {
  const t = useWords(importWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const upload = async (file: File) => {
    const name = file.name.slice(0, IMPORT_LIMITS.nameChars)
    const view = await run(() =>
      api.post('contact-imports', { name }, new Blob([file], { type: typeOf(file) })),
    )
    if (view) onUploaded(view.id)
  }
  return (
    <FileDrop
      className={styles.drop}
      accept=".csv,.txt,.xlsx,text/csv"
      fieldLabel={t('file')}
      onFile={(file) => void upload(file)}
    >
      {(choose) => (
        <>
          <div className={layout.strong}>{t('choose_title')}</div>
          <p role="status">{t(isBusy ? 'uploading' : 'choose_why')}</p>
          <Button
            variant="filled"
            loading={isBusy}
            leftSection={<Icon name="upload" />}
            onClick={choose}
          >
            {t('choose')}
          </Button>
        </>
      )}
    </FileDrop>
  )
}

function useColumns(): Column<ContactImportView>[] {
  const t = useWords(importWords)
  const format = useFormat()
  return [
    {
      head: t('file'),
      cell: ({ id, name }) => (
        <PageLink to="contacts/imports/$import" params={{ import: id }} named={name} />
      ),
    },
    { head: t('state'), cell: ({ state }) => <ImportPill state={state} /> },
    {
      head: t('result'),
      cell: ({ state, created, updated, leftOut }) =>
        ['running', 'done', 'cancelled', 'failed'].includes(state) &&
        t('counted', { created, updated, leftOut }),
    },
    {
      phone: 'gone',
      head: t('rows'),
      isFigure: true,
      cell: ({ rows }) => (rows === null ? '' : format.number(rows)),
    },
    {
      phone: 'end',
      head: t('when'),
      isFigure: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="near" />,
    },
  ]
}
