import { Select } from '@mantine/core'
import type { ContactImportView } from '../../../contract/dashboard/contact-import.ts'
import {
  IMPORT_DELIMITERS,
  IMPORT_ENCODINGS,
  type ImportDelimiter,
  type ImportEncoding,
} from '../../../core/vocabulary/contacts.ts'
import { useApi } from '../../app/resources.ts'
import { Panel } from '../../parts/Page.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { useWords } from '../../words/use-words.tsx'
import styles from './imports.module.css'
import { importWords } from './words.ts'

const DELIMITER_WORDS = {
  ',': 'delimiter_comma',
  ';': 'delimiter_semicolon',
  '\t': 'delimiter_tab',
  '|': 'delimiter_bar',
} as const satisfies Record<ImportDelimiter, string>

const ENCODING_WORDS = {
  'utf-8': 'encoding_utf8',
  'utf-16le': 'encoding_utf16le',
  'utf-16be': 'encoding_utf16be',
  'windows-1256': 'encoding_arabic',
  'windows-1252': 'encoding_western',
} as const satisfies Record<ImportEncoding, string>

/** The first rows of a file as they were read, and the settings of reading. */
export function ReadAs({ job, onRead }: { job: ContactImportView; onRead(): void }) {
  const t = useWords(importWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const { delimiter, encoding } = job
  const readAs = async (change: { delimiter?: string | null; encoding?: string | null }) => {
    const { delimiter: by, encoding: as } = { delimiter, encoding, ...change }
    const json = {
      ...(isDelimiter(by) && { delimiter: by }),
      ...(as != null && { encoding: as as ImportEncoding }),
    }
    const isRead = await run(() =>
      api.post('contact-imports/:importId/read', { importId: job.id }, json),
    )
    if (isRead) onRead()
  }
  return (
    <Panel title={t('first_rows')}>
      {encoding !== null && (
        <div className={styles.fields}>
          <Select
            label={t('delimiter')}
            disabled={isBusy}
            allowDeselect={false}
            data={IMPORT_DELIMITERS.map((value) => ({ value, label: t(DELIMITER_WORDS[value]) }))}
            // A delimiter that only the file uses is none of the options.
            value={isDelimiter(delimiter) ? delimiter : null}
            placeholder={delimiter ?? ''}
            onChange={(value) => void readAs({ delimiter: value })}
          />
          <Select
            label={t('encoding')}
            disabled={isBusy}
            allowDeselect={false}
            data={IMPORT_ENCODINGS.map((value) => ({ value, label: t(ENCODING_WORDS[value]) }))}
            value={encoding}
            onChange={(value) => void readAs({ encoding: value })}
          />
        </div>
      )}
      <div className={styles.sample}>
        <table aria-label={t('first_rows')}>
          <thead>
            <tr>
              {job.headers.map((header, at) => (
                <th key={at} scope="col">
                  <bdi>{header}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {job.sample.map((cells, row) => (
              <tr key={row}>
                {job.headers.map((_, at) => (
                  <td key={at}>
                    <bdi>{cells[at]}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

function isDelimiter(text: string | null | undefined): text is ImportDelimiter {
  return IMPORT_DELIMITERS.some((one) => one === text)
}
