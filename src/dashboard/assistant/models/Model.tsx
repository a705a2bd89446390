import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGo } from '../../app/pages.ts'
import type { ModelView, TestedModel } from '../../../contract/dashboard/model.ts'
import { accountApi } from '../../app/resources.ts'
import { diffValues } from '../../parts/diff-values.ts'
import { ConfirmButton } from '../../parts/Dialogs.tsx'
import { Banner, Empty, PageHeader, Panel } from '../../parts/Page.tsx'
import { PageButton } from '../../parts/PageLink.tsx'
import { Pill } from '../../parts/Pill.tsx'
import { toastSuccess } from '../../parts/toasts.tsx'
import { ActButton } from '../../parts/ActButton.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { ModelForm } from './ModelForm.tsx'
import { ModelPill } from './ModelPill.tsx'
import layout from '../../parts/layout.module.css'
import styles from './models.module.css'
import { modelsQuery } from './queries.ts'
import { modelsWords } from './words.ts'

/** The page of one language model: its form, a test, and buttons that switch it off or delete it. */
export function Model() {
  const t = useWords(modelsWords)
  const { model: modelId } = useParams({ from: '/p/$company/assistant/models/$model' })
  const { data } = useSuspenseQuery(modelsQuery)
  const model = data.items.find(({ id }) => id === modelId)
  if (!model) {
    const back = <PageButton to="assistant/models">{t('name')}</PageButton>
    return <Empty title={t('deleted')} act={back} />
  }
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{model.modelName}</bdi>}
        pill={<ModelPill model={model} />}
        lead={t('host_of', { host: model.host })}
        acts={<Acts model={model} isLast={data.items.length === 1} />}
      />
      {model.broken && <Banner tone="bad" title={model.broken.text} />}
      {model.reasonsAnyway && model.thinking === 'off' && (
        <Banner tone="warn" title={t('thinks_anyway')}>
          {t('thinks_anyway_why')}
        </Banner>
      )}
      <div className={styles.columns}>
        <Panel title={t('settings')}>
          <ModelForm
            model={model}
            onSubmit={async (input) => {
              // Unchanged values are not sent, so that the API does not test them again.
              const json = { ...diffValues(model, input), revision: model.revision }
              await accountApi.patch('/models/:modelId', { modelId }, json)
              toastSuccess(t('saved'))
            }}
          />
        </Panel>
        <Panel title={t('test')}>
          <Test model={model} />
        </Panel>
      </div>
    </>
  )
}

function Test({ model }: { model: ModelView }) {
  const t = useWords(modelsWords)
  const format = useFormat()
  const [tested, setTested] = useState<TestedModel | null>(null)
  const test = async () =>
    setTested(await accountApi.post('/models/:modelId/test', { modelId: model.id }))
  return (
    <div className={layout.pageForm}>
      <p className={layout.help}>{t('test_lead')}</p>
      <div>
        <ActButton act={test}>{t('test_now')}</ActButton>
      </div>
      {tested && (
        <div className={layout.result} role="status">
          {tested.isFit ? (
            <Pill tone="ok">{t('fit', { time: format.milliseconds(tested.durationMs) })}</Pill>
          ) : (
            <Pill tone="bad">{t('unfit')}</Pill>
          )}
          {tested.why && <span>{tested.why.text}</span>}
        </div>
      )}
    </div>
  )
}

function Acts({ model, isLast }: { model: ModelView; isLast: boolean }) {
  const t = useWords(modelsWords)
  const go = useGo()
  const { id: modelId, isOn } = model
  const turn = isOn ? 'switch-off' : 'switch-on'
  return (
    <>
      <ActButton
        act={() => accountApi.post(`/models/:modelId/${turn}`, { modelId })}
        done={t(isOn ? 'switched_off' : 'switched_on')}
      >
        {t(isOn ? 'switch_off' : 'switch_on')}
      </ActButton>
      <ConfirmButton
        label={t('delete')}
        title={t('delete_title', { name: model.modelName })}
        keep={t('delete_keep')}
        isGrave
        send={async () => {
          await accountApi.call('delete', '/models/:modelId', { modelId })
          await go('assistant/models', {})
          await accountApi.changed('/models')
        }}
        done={t('deleted')}
      >
        <p>{t('delete_why')}</p>
        {isLast && <p>{t('delete_last')}</p>}
      </ConfirmButton>
    </>
  )
}
