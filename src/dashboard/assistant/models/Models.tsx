import { useQuery } from '@tanstack/react-query'
import { useGo } from '../../app/pages.ts'
import type { ModelsView, ModelView } from '../../../contract/dashboard/model.ts'
import { accountApi } from '../../app/resources.ts'
import { Ltr } from '../../parts/Code.tsx'
import { type Column } from '../../parts/ListTable.tsx'
import { Banner, Empty } from '../../parts/Page.tsx'
import { PageLink } from '../../parts/PageLink.tsx'
import { useApiMutation } from '../../parts/use-api-mutation.ts'
import { IconButton } from '../../parts/IconButton.tsx'
import { useWords } from '../../words/use-words.tsx'
import { AssistantHead } from '../AssistantHead.tsx'
import { Allowance } from './Allowance.tsx'
import { ModelPill } from './ModelPill.tsx'
import { ModelUse } from './ModelUse.tsx'
import layout from '../../parts/layout.module.css'
import styles from './models.module.css'
import { modelsQuery } from './queries.ts'
import { Listing } from '../../parts/ListPage.tsx'
import { AddButton } from '../../parts/AddButton.tsx'
import { modelsWords } from './words.ts'

/** The page of the account's models in their order, the fallback without any, and the usage. */
export function Models() {
  const t = useWords(modelsWords)
  const go = useGo()
  const list = useQuery(modelsQuery)
  const view = list.data
  const items = view?.items ?? []
  const isFull = view !== undefined && items.length >= view.max
  const add = (
    <AddButton to="assistant/models/new" isOff={isFull}>
      {t('new')}
    </AddButton>
  )
  return (
    <>
      <AssistantHead tab="models" lead={t('lead')} acts={items.length > 0 && add} />
      <div className={layout.stack}>
        {view && <WhoAnswers view={view} />}
        <Listing
          label={t('name')}
          end={isFull && t('all_used', { n: items.length, limit: view.max })}
          list={list}
          columns={useColumns(items)}
          onOpen={({ id }) => void go('assistant/models/$model', { model: id })}
          empty={
            <Empty title={t('none')} act={add}>
              {t('none_why')}
            </Empty>
          }
        />
        {view && (
          <div className={styles.columns}>
            <Allowance allowance={view.allowance} />
            <ModelUse />
          </div>
        )}
      </div>
    </>
  )
}

/** A banner for an account whose own models do not respond: the operator's model does, or none. */
function WhoAnswers({ view: { items, operator } }: { view: ModelsView }) {
  const t = useWords(modelsWords)
  if (items.some(({ isOn, broken }) => isOn && broken === null)) return null
  if (items.length > 0 || operator === null) {
    return (
      <Banner tone="warn" title={t('no_model')}>
        {t('no_model_why')}
      </Banner>
    )
  }
  if (operator.isScripted) {
    return (
      <Banner tone="warn" title={t('scripted')}>
        {t('scripted_why')}
      </Banner>
    )
  }
  return (
    <Banner tone="ok" title={t('operator', { name: operator.name })}>
      {t('operator_why')}
    </Banner>
  )
}

function useColumns(items: readonly ModelView[]): Column<ModelView>[] {
  const t = useWords(modelsWords)
  return [
    { head: t('order'), cell: (model) => <Moves model={model} items={items} /> },
    {
      head: t('name'),
      cell: ({ id, modelName }) => (
        <PageLink to="assistant/models/$model" params={{ model: id }} named={modelName} />
      ),
    },
    { head: t('state'), cell: (model) => <ModelPill model={model} /> },
    { phone: 'gone', head: t('kind'), cell: ({ kind }) => t(kind) },
    { phone: 'line', head: t('host'), cell: ({ host }) => <Ltr>{host}</Ltr> },
  ]
}

/** The position of a model in the order, with buttons to move it up and down. */
function Moves({ model, items }: { model: ModelView; items: readonly ModelView[] }) {
  const t = useWords(modelsWords)
  const { isBusy, run } = useApiMutation()
  const at = items.findIndex(({ id }) => id === model.id)
  const move = async (by: -1 | 1) => {
    const ids = items.map(({ id }) => id)
    const [other] = ids.splice(at + by, 1, model.id)
    ids[at] = other!
    await run(() => accountApi.put('/models/order', { ids }))
  }
  const name = model.modelName
  return (
    <span className={styles.moves}>
      {t('position', { n: model.position })}
      {items.length > 1 && (
        <>
          <IconButton
            icon="chevron_up"
            label={t('up', { name })}
            disabled={at === 0 || isBusy}
            onClick={() => void move(-1)}
          />
          <IconButton
            icon="chevron_down"
            label={t('down', { name })}
            disabled={at === items.length - 1 || isBusy}
            onClick={() => void move(1)}
          />
        </>
      )}
    </span>
  )
}
