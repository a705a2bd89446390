import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/resources.ts'
import { newKey } from '../app/new-key.ts'
import { Modal } from '../parts/Modal.tsx'
import { Failed, Skeleton } from '../parts/Page.tsx'
import { toastSuccess } from '../parts/toasts.tsx'
import { useApiMutation } from '../parts/use-api-mutation.ts'
import { useWords } from '../words/use-words.tsx'
import type { ConversationDetail } from '../../contract/dashboard/conversation.ts'
import { useCustomerName } from './Marks.tsx'
import styles from './thread.module.css'
import { threadWords } from './words-thread.ts'

/** A dialog that starts a flow with a manual trigger for the customer. */
export function StartFlow({
  conversation,
  onClose,
}: {
  conversation: ConversationDetail
  onClose(): void
}) {
  const t = useWords(threadWords)
  const api = useApi()
  const { isBusy, run } = useApiMutation()
  const [flowId, setFlowId] = useState<string | null>(null)
  const [key] = useState(newKey)
  const { data, isError, error, refetch } = useQuery(
    api.get('conversations/:conversationId/flows', { conversationId: conversation.id }),
  )
  const name = useCustomerName()(conversation)
  const flows = data?.items ?? []
  const start = async () => {
    await run(async () => {
      await api.call(
        'post',
        'flows/:flowId/runs',
        { flowId: flowId! },
        { contactId: conversation.contact!.id, key },
      )
      void api.changed('conversations')
      void api.changed('runs')
      toastSuccess(t('flow_started'))
      onClose()
    })
  }
  return (
    <Modal opened onClose={onClose} title={t('flow_title', { name })}>
      {isError && <Failed error={error} onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton rows={2} />}
      {data && flows.length === 0 && <p>{t('flow_none')}</p>}
      {flows.length > 0 && (
        <>
          <Select
            label={t('flow_which')}
            description={t('flow_real')}
            data={flows.map(({ id, name: label }) => ({ value: id, label }))}
            value={flowId}
            onChange={setFlowId}
          />
          <div className={styles.dialogFoot}>
            <Button
              variant="filled"
              loading={isBusy}
              disabled={flowId === null}
              onClick={() => void start()}
            >
              {t('flow_start')}
            </Button>
          </div>
        </>
      )}
    </Modal>
  )
}
