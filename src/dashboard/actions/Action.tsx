import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useGo } from '../app/pages.ts'
import type { ActionView, TestedAction } from '../../contract/dashboard/action.ts'
import { useApi } from '../app/resources.ts'
import { useSession } from '../app/session.ts'
import { diffValues } from '../parts/diff-values.ts'
import { IdChip } from '../parts/Code.tsx'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { Banner, Details, PageHeader, Panel } from '../parts/Page.tsx'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { Time } from '../parts/Time.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { ActButton } from '../parts/ActButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { ActionConsole } from './ActionConsole.tsx'
import { ActionForm } from './ActionForm.tsx'
import { ActionPill } from './ActionPill.tsx'
import { shownInputOf } from './action-values.ts'
import styles from './actions.module.css'
import { actionsWords } from './words.ts'

/** The page of one AI action: its form, and a console that tests it. */
export function Action() {
  const t = useWords(actionsWords)
  const api = useApi()
  const { action: actionId } = useParams({ from: '/p/$company/actions/$action' })
  const { developer: isInPlan } = useSession().account.features
  const { data: action } = useSuspenseQuery(api.get('actions/:actionId', { actionId }))
  const [tested, setTested] = useState<TestedAction | null>(null)
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi dir="ltr">{action.name}</bdi>}
        pill={<ActionPill action={action} />}
        lead={<bdi>{action.description}</bdi>}
        acts={<Acts action={action} isInPlan={isInPlan} />}
      />
      {!isInPlan && (
        <Banner tone="off" title={t('not_in_plan')}>
          {t('not_in_plan_why')}
        </Banner>
      )}
      <div className={styles.columns}>
        <ActionForm
          action={action}
          answer={tested?.answerText ?? null}
          onSubmit={async ({ isOn: _stays, ...input }) => {
            await api.patch(
              'actions/:actionId',
              { actionId },
              diffValues(shownInputOf(action), input),
            )
            toastSuccess(t('saved'))
          }}
        />
        <div className={styles.column}>
          {isInPlan && (
            <Panel title={t('test')}>
              <ActionConsole
                key={action.updatedAt}
                action={action}
                tested={tested}
                onTested={setTested}
              />
            </Panel>
          )}
          <Panel title={t('details')}>
            <Details
              items={[
                [
                  t('connection'),
                  <PageLink
                    key="connection"
                    to="connections/$connection"
                    params={{ connection: action.connection.id }}
                    named={action.connection.name}
                  />,
                ],
                [t('added'), <Time key="added" at={action.createdAt} />],
                [t('changed'), <Time key="changed" at={action.updatedAt} />],
                [t('id'), <IdChip key="id" id={action.id} />],
              ]}
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

function Acts({ action, isInPlan }: { action: ActionView; isInPlan: boolean }) {
  const t = useWords(actionsWords)
  const api = useApi()
  const go = useGo()
  const { id: actionId, name } = action
  const turn = (isOn: boolean) => api.patch('actions/:actionId', { actionId }, { isOn })
  return (
    <>
      <PageButton to="connections/calls" search={{ action: actionId }}>
        {t('calls')}
      </PageButton>
      {action.isOn ? (
        <ConfirmButton
          label={t('switch_off')}
          title={t('off_title', { name })}
          keep={t('off_keep')}
          send={() => turn(false)}
          done={t('switched_off')}
        >
          {t('off_why')}
        </ConfirmButton>
      ) : (
        <ActButton disabled={!isInPlan} act={() => turn(true)} done={t('switched_on')}>
          {t('switch_on')}
        </ActButton>
      )}
      <ConfirmButton
        label={t('delete')}
        title={t('delete_title', { name })}
        keep={t('delete_keep')}
        isGrave
        send={async () => {
          await api.delete('actions/:actionId', { actionId })
          await go('actions', {})
        }}
        done={t('deleted')}
      >
        {t('delete_why')}
      </ConfirmButton>
    </>
  )
}
