import { Stack, Switch } from '@mantine/core'
import { PageButton } from '../parts/PageLink.tsx'
import type { AssistantView } from '../../contract/dashboard/assistant.ts'
import { useMay } from '../app/session.ts'
import { Panel } from '../parts/Page.tsx'
import type { ApiForm } from '../parts/form.tsx'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import type { SettingsValues } from './settings-values.ts'
import { assistantWords } from './words.ts'

const MEDIA = ['transcribes', 'readsImages'] as const

/** Settings of voice notes and photos. A setting that no model supports cannot be switched on. */
export function MediaPanel({
  form,
  able,
}: {
  form: ApiForm<SettingsValues>
  able: AssistantView['able']
}) {
  const t = useWords(assistantWords)
  const { setUp } = useMay()
  const isAllAble = MEDIA.every((name) => able[name])
  return (
    <Panel title={t('media')}>
      <Stack>
        {MEDIA.map((name) => (
          <Switch
            key={name}
            label={t(name)}
            description={able[name] ? t(`${name}_help`) : t(`${name}_unable`)}
            disabled={!able[name] && !form.watch(name)}
            {...form.check(name)}
          />
        ))}
        {!isAllAble && setUp && (
          <div className={layout.help}>
            <PageButton to="assistant/models">{t('to_models_able')}</PageButton>
          </div>
        )}
      </Stack>
    </Panel>
  )
}
