import { Button, Menu } from '@mantine/core'
import { useApi } from '../app/resources.ts'
import { Icon } from '../parts/Icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import type { AskedDeliveries } from './log-search.ts'
import { logWords } from './words-log.ts'

const FORMATS = ['csv', 'ndjson'] as const

/** A menu that exports the filtered deliveries as a file. */
export function ExportMenu({ asked }: { asked: AskedDeliveries | null }) {
  const t = useWords(logWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const save = (format: (typeof FORMATS)[number]) =>
    run(async () => {
      const { status, statusClass, ...same } = asked ?? {}
      const file = await api.call('post', 'delivery-exports', {
        ...same,
        ...(status !== undefined && { status: Number(status) }),
        ...(statusClass !== undefined && { statusClass: Number(statusClass) }),
        format,
      })
      saveFile(file, `deliveries.${format}`)
      toastSuccess(t('exported'))
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button leftSection={<Icon name="download" />} loading={isBusy} disabled={asked === null}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void save(format)}>
            {t(`export_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
